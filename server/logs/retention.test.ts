import { expect, it } from 'vitest';
import { maintainPartitions } from '#server/db/maintainPartitions.ts';
import { sql } from '#server/db/sql.ts';
import { writeEntries } from '#test/entries.ts';
import { until } from '#test/until.ts';
import { aWorld, dayMs, minuteMs } from '#test/world.ts';
import { logPartitions } from './partitions.ts';
import { pruneSeals } from './prune.ts';
import { sealBatch } from './seal.ts';
import { verifyLog } from './verify.ts';

const projectId = 'prj_old';

it('expired entries are deleted with their seals, and the chain continues from there', async () => {
  const world = await aWorld();
  const { db } = world.platform;
  const seal = () => until(async () => ((await sealBatch(db)).busy ? undefined : true));
  const entries = Array.from({ length: 5 }, () => ({}));
  await writeEntries(world.platform, projectId, entries);
  await seal();
  const { headHash } = await verifyLog(db, projectId, world.now());
  const inAYear = new Date(world.now().getTime() + 400 * dayMs);
  await maintainPartitions(db, Object.values(logPartitions), inAYear);
  const young = new Date(inAYear.getTime() - minuteMs);
  await writeEntries(world.platform, projectId, [{ ts: young, text: 'young' }]);
  await seal();
  const before = await verifyLog(db, projectId, inAYear);
  expect(before).toMatchObject({ intact: true, entriesChecked: 1, firstEntryAt: young.toISOString() });
  await pruneSeals(db, inAYear);
  const left = await db.many<{ seq: string; hash: Buffer }>(
    sql`select seq, hash from audit_seals where project_id = ${projectId} order by seq`,
  );
  expect(left.map(({ seq }) => seq)).toEqual(['5', '6']);
  expect(left[0]?.hash.toString('hex')).toBe(headHash);
  expect(await verifyLog(db, projectId, inAYear)).toEqual(before);
  await db.run(sql`delete from log_entries where project_id = ${projectId} and text = 'young'`);
  expect((await verifyLog(db, projectId, inAYear)).intact).toBe(false);
  await world.end();
});
