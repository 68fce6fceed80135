import { expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { aClass, manyDevices } from '#test/devices.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { findingsOf } from './listFindings.ts';

const at = aProjectWorld();
const large = 20_000;

/** A project whose devices were last seen then, and how many rows its findings read. */
async function aFleet(count: number, seenAt: string) {
  const { id: projectId } = await at.world.aProject(at.owner);
  const { db } = at.world.platform;
  const { id: deviceClass } = await aClass(at.owner, projectId);
  await manyDevices(at.world, projectId, deviceClass, count);
  await db.run(sql`
    update device_presence set seen_at = ${seenAt}, quiet_since = ${quietOf(seenAt)} where project_id = ${projectId}`);
  await db.run(sql`analyze device_presence, devices, device_counts`);
  return {
    async rowsRead() {
      return db.tx(async tx => {
        const read = () =>
          tx.one<{ rows: number }>(sql`
            select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::float8 as rows from pg_stat_xact_user_tables`);
        const before = await read();
        const findings = await findingsOf(tx, projectId, at.world.now());
        const after = await read();
        return { rows: (after?.rows ?? 0) - (before?.rows ?? 0), signals: findings.map(one => one.signal) };
      });
    },
  };
}

/** Whoever is gone is silent as well. */
const quietOf = (seenAt: string) => (seenAt === 'infinity' ? null : seenAt);

it('the findings of a large fleet read no more rows than those of a small one, while all is well', async () => {
  const [few, many] = [await aFleet(100, 'infinity'), await aFleet(large, 'infinity')];
  const [ofFew, ofMany] = [await few.rowsRead(), await many.rowsRead()];
  expect(ofMany.signals).toEqual([]);
  expect(ofMany.rows).toBeLessThanOrEqual(ofFew.rows + 100);
});

it('if the whole fleet is gone and silent, a bounded part of it is read', async () => {
  const fleet = await aFleet(large, new Date(at.world.now().getTime() - 60_000).toISOString());
  const { rows, signals } = await fleet.rowsRead();
  expect(signals).toContain('lost');
  expect(rows).toBeLessThan(large);
});
