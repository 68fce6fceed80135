import { expect, it, vi } from 'vitest';
import { sql } from '#server/db/sql.ts';
import { aClass, manyDevices } from '#test/devices.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { createParts } from './createParts.ts';
import { PollSession } from './http/pollSession.ts';
import { Sweep } from './sweep.ts';

const at = aGatewayWorld();
const many = 40;

it('connections that are on record no more are put there again together, and once', async () => {
  const { platform } = at.world;
  const { db } = platform;
  const { id: deviceClass } = await aClass(at.owner, at.projectId);
  const ids = await manyDevices(at.world, at.projectId, deviceClass, many);
  const parts = createParts(platform, 'gtw_sweep');
  const sessions = await Promise.all(
    ids.map(async id => {
      const admission = await parts.admissions.add(id);
      if (!admission) throw new Error('There is no such device.');
      const device = parts.devices.enter(admission);
      const credential = { keyHash: admission.keyHash };
      const session = new PollSession(parts, { device, credential, address: '::1' }, () => undefined);
      await session.arrived;
      return session;
    }),
  );
  const begun = async () => {
    const [row] = await db.many<{ n: number }>(sql`select last_value::int as n from connection_numbers`);
    return row?.n ?? 0;
  };
  await db.run(sql`delete from device_connections`);
  const before = await begun();
  const transactions = vi.spyOn(db, 'tx');
  const sweep = new Sweep(parts.platform, parts);
  await Promise.all([sweep.run(), sweep.run()]);
  expect(transactions.mock.calls.length).toBeLessThan(5);
  transactions.mockRestore();
  expect((await begun()) - before).toBe(many);
  const open = await db.many(sql`select 1 from device_connections where gateway_id = 'gtw_sweep'`);
  expect(open).toHaveLength(many);
  for (const session of sessions) session.end('CLOSED');
  await parts.connectionRecord.stop();
});
