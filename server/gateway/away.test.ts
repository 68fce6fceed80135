import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#server/db/sql.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { aDevice } from '#test/devices.ts';
import { mqttDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';
import { aWire, type Wire } from '#test/wire.ts';
import { aWorld, type World } from '#test/world.ts';

let database: TestDatabase;
let wire: Wire;
let world: World;
beforeAll(async () => {
  database = await testDatabase();
  wire = await aWire(database.url);
  world = await aWorld({ DATABASE_URL: wire.url, LOG_LEVEL: 'silent', MQTT_PORT: '0' });
});
afterAll(async () => {
  await world.end();
  await wire.end();
  await database.end();
});

it('while the database is away messages wait and are not acknowledged, devices stay, and none is kept twice', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const [device, other] = [await aDevice(owner, projectId), await aDevice(owner, projectId)];
  await using here = await mqttDevice(world.mqttUrl ?? '', device);
  wire.cut();
  let acknowledged = 0;
  const said = Array.from({ length: 200 }, async (_, i) => {
    await here.say('events/tick', i);
    acknowledged += 1;
  });
  try {
    // Its answer says that the gateway has been through all that, and found no database.
    await expect(mqttDevice(world.mqttUrl ?? '', other)).rejects.toThrow('Server unavailable');
    expect(acknowledged).toBe(0);
    expect(here.client.connected).toBe(true);
  } finally {
    wire.mend();
  }
  await Promise.all(said);
  const rows = await database.db.many<{ n: number }>(sql`
    select (payload::text)::int as n from device_events where device_id = ${device.id} order by ts, id`);
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, i) => i));
  await using again = await until(() => mqttDevice(world.mqttUrl ?? '', other).catch(() => undefined));
  await again.say('events/here', {});
});
