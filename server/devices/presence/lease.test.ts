import { expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { testDatabase } from '#test/database.ts';
import { aDevice } from '#test/devices.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { mqttDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';
import { aWorld } from '#test/world.ts';
import { endDeadGateways, endLease } from './lease.ts';

const at = aGatewayWorld();

it('a gateway that was presumed dead but is alive registers its connections again', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  const { db } = at.world.platform;
  // The gateway keeps renewing its lease by itself.
  await until(async () => {
    await db.run(sql`update gateways set lease_until = now() - interval '1 s'`);
    await endDeadGateways(at.world.platform, () => undefined);
    return db.one(sql`
      select 1 from presence_changes where device_id = ${device.id} and not connected and reason = 'GATEWAY_LOST'`);
  });
  await at.untilIs(device, 'connected');
  await here.say('events/still', {});
  await here.client.endAsync();
  await at.untilIs(device, 'disconnected');
  const open = await db.many(sql`select 1 from device_connections where device_id = ${device.id}`);
  expect(open).toEqual([]);
});

it('the connections of a dead gateway end, and connections of its devices to other gateways continue', async () => {
  const [alone, both] = [await at.device(), await at.device()];
  await using here = await at.connect(both);
  const { db } = at.world.platform;
  await db.run(sql`insert into gateways values ('gtw_dead', now(), now() + interval '1 h')`);
  for (const { id } of [alone, both]) {
    await db.run(sql`
      insert into device_connections values
        (${at.projectId}, ${id}, 'elsewhere', nextval('connection_numbers'), 'gtw_dead', 'mqtt', '', false, now())`);
    await db.run(sql`update device_presence set seen_at = 'infinity', since = now() where device_id = ${id}`);
  }
  await db.run(sql`update gateways set lease_until = now() - interval '1 s' where id = 'gtw_dead'`);
  await Promise.all([1, 2, 3].map(() => endDeadGateways(at.world.platform, () => undefined)));
  expect((await at.read(alone)).connection.reason).toBe('GATEWAY_LOST');
  expect((await at.read(both)).connectionStatus).toBe('connected');
  await here.say('events/still', {});
  expect(await db.many(sql`select 1 from gateways where id = 'gtw_dead'`)).toEqual([]);
  const changes = await db.many(sql`select connected from presence_changes where device_id = ${alone.id}`);
  expect(changes).toEqual([{ connected: false }]);
});

it('a connection whose end was not recorded when its gateway stopped ends with the lease', async () => {
  const device = await at.device();
  const { db } = at.world.platform;
  await db.run(sql`insert into gateways values ('gtw_stopped', now(), now() + interval '10 s')`);
  await db.run(sql`
    insert into device_connections values
      (${at.projectId}, ${device.id}, 'c', nextval('connection_numbers'), 'gtw_stopped', 'mqtt', '', false, now())`);
  await db.run(
    sql`update device_presence set seen_at = 'infinity', since = now() where device_id = ${device.id}`,
  );
  await endLease(db, 'gtw_stopped');
  await db.run(sql`update gateways set lease_until = now() - interval '1 s' where id = 'gtw_stopped'`);
  await endDeadGateways(at.world.platform, () => undefined);
  expect((await at.read(device)).connection.reason).toBe('GATEWAY_LOST');
  await endLease(db, 'gtw_stopped');
  expect(await db.many(sql`select 1 from gateways where id = 'gtw_stopped'`)).toEqual([]);
});

it('a server that stops disconnects its devices, and leaves nothing behind', async () => {
  const database = await testDatabase();
  const world = await aWorld({ MQTT_PORT: '0', DATABASE_URL: database.url });
  const owner = await world.aDeveloper();
  const device = await aDevice(owner, (await world.aProject(owner)).id);
  await using here = await mqttDevice(world.mqttUrl ?? '', device);
  let acknowledged = 0;
  for (let i = 0; i < 50; i++) {
    here.say('events/tick', i).then(
      () => {
        acknowledged += 1;
      },
      () => undefined,
    );
  }
  await until(() => (acknowledged > 0 ? true : undefined));
  await world.end();
  await here.ended();
  const { db } = database;
  const [kept] = await db.many<{ count: number }>(
    sql`select count(*)::int as count from device_events where device_id = ${device.id}`,
  );
  expect(kept?.count).toBeGreaterThanOrEqual(acknowledged);
  const presence = await db.many(
    sql`select seen_at < 'infinity' as gone, reason from device_presence where device_id = ${device.id}`,
  );
  expect(presence).toEqual([{ gone: true, reason: 'STOPPING' }]);
  expect(await db.many(sql`select 1 from device_connections`)).toEqual([]);
  expect(await db.many(sql`select 1 from gateways`)).toEqual([]);
  await database.end();
});
