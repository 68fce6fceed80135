import { expect, it, vi } from 'vitest';
import { DatabaseUnavailable, sql } from '#server/infra/db/sql.ts';
import { aClass, manyDevices } from '#test/devices.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { createParts } from './createParts.ts';
import { PollSession } from './http/pollSession.ts';
import type { GatewayParts } from './parts.ts';
import { Sweep } from './sweep.ts';

const at = aGatewayWorld();
const many = 40;

async function aSession(parts: GatewayParts, id: string): Promise<PollSession> {
  const admission = await parts.admissions.add(id);
  if (!admission) throw new Error('There is no such device.');
  const device = parts.devices.enter(admission);
  const credential = { keyHash: admission.keyHash };
  return new PollSession(parts, { device, credential, address: '::1' }, () => undefined);
}

it('connections that lost their rows are registered again in one batch, and only once', async () => {
  const { platform } = at.world;
  const { db } = platform;
  const { id: deviceClass } = await aClass(at.owner, at.projectId);
  const ids = await manyDevices(at.world, at.projectId, deviceClass, many);
  const parts = createParts(platform, 'gtw_sweep');
  const sessions = await Promise.all(ids.map(id => aSession(parts, id)));
  await Promise.all(sessions.map(({ arrived }) => arrived));
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

it('a connection that was registered after its device had left is ended', async () => {
  const { platform } = at.world;
  const { db } = platform;
  const parts = createParts(platform, 'gtw_orphans');
  const device = await at.device();
  const held = await aSession(parts, (await at.device()).id);
  await held.arrived;
  const session = await aSession(parts, device.id);
  const { tx } = db;
  const isStored = () =>
    db.one(sql`select 1 as found from device_connections where device_id = ${device.id}`);
  // The connection is stored, but the database's answer is lost. Other parts of the server use transactions as well.
  const lost = vi.spyOn(db, 'tx').mockImplementation(async work => {
    const answer = await tx.call(db, work);
    if (session.isOver || !(await isStored())) return answer as never;
    session.end('CLOSED');
    throw new DatabaseUnavailable('The connection to the database was lost.');
  });
  await session.arrived;
  lost.mockRestore();
  const status = async () => (await at.read(device)).connectionStatus;
  expect(await status()).toBe('connected');
  const sweep = new Sweep(parts.platform, parts);
  await sweep.run();
  await sweep.run();
  expect(await status()).toBe('disconnected');
  const open = sql`select number::int from device_connections where gateway_id = 'gtw_orphans'`;
  expect(await db.many(open)).toEqual([{ number: held.number }]);
  held.end('CLOSED');
  await parts.connectionRecord.stop();
});

it('a connection that lost its row ends if the same client has connected again elsewhere', async () => {
  const { platform } = at.world;
  const [here, there] = [createParts(platform, 'gtw_here'), createParts(platform, 'gtw_there')];
  const device = await at.device();
  const older = await aSession(here, device.id);
  await older.arrived;
  await platform.db.run(sql`delete from device_connections where device_id = ${device.id}`);
  const newer = await aSession(there, device.id);
  await newer.arrived;
  // The sweep had looked for its row before the newer connection was registered.
  await here.connectionRecord.arriveAnew(older);
  expect([older.isOver, newer.isOver]).toEqual([true, false]);
  const rows = sql`
    select number::int, gateway_id as "gatewayId" from device_connections where device_id = ${device.id}`;
  expect(await platform.db.many(rows)).toEqual([{ number: newer.number, gatewayId: 'gtw_there' }]);
  newer.end('CLOSED');
  await Promise.all([here.connectionRecord.stop(), there.connectionRecord.stop()]);
});
