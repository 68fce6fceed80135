import { describe, expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { aDevice } from '#test/devices.ts';
import { mqttDevice } from '#test/mqttDevice.ts';
import { rawCall } from '#test/rawCall.ts';
import { until } from '#test/until.ts';
import { aWireWorld } from '#test/wireWorld.ts';

const at = aWireWorld({ MQTT_PORT: '0' });

it('while the database is unavailable, devices stay connected, and messages wait unacknowledged and are stored once', async () => {
  const owner = await at.world.aDeveloper();
  const { id: projectId } = await at.world.aProject(owner);
  const [device, other] = [await aDevice(owner, projectId), await aDevice(owner, projectId)];
  await using here = await mqttDevice(at.world.mqttUrl ?? '', device);
  at.wire.cut();
  let acknowledged = 0;
  const said = Array.from({ length: 200 }, async (_, i) => {
    await here.say('events/tick', i);
    acknowledged += 1;
  });
  try {
    // This refusal shows that the gateway has processed all messages and found no database.
    await expect(mqttDevice(at.world.mqttUrl ?? '', other)).rejects.toThrow('Server unavailable');
    expect(acknowledged).toBe(0);
    expect(here.client.connected).toBe(true);
  } finally {
    at.wire.mend();
  }
  await Promise.all(said);
  const rows = await at.database.db.many<{ n: number }>(sql`
    select (payload::text)::int as n from device_events where device_id = ${device.id} order by ts, id`);
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, i) => i));
  await using again = await until(() => mqttDevice(at.world.mqttUrl ?? '', other).catch(() => undefined));
  await again.say('events/here', {});
});

describe('a device that sends by HTTP is told to try again', () => {
  async function aSender() {
    const owner = await at.world.aDeveloper();
    const { id, apiKey } = await aDevice(owner, (await at.world.aProject(owner)).id);
    const authorization = `Basic ${Buffer.from(`${id}:${apiKey}`).toString('base64')}`;
    const url = `${at.world.url}/device/v1/events/tick`;
    return async () => {
      const { status, problem, headers } = await rawCall(fetch, ['POST', url], '{}', { authorization });
      return [status, problem.reason, headers.get('retry-after')];
    };
  }
  const stored = [204, undefined, null];
  const unavailable = [503, 'UNAVAILABLE', '2'];

  it('while the database hangs', async () => {
    const send = await aSender();
    expect(await send()).toEqual(stored);
    at.wire.hang();
    try {
      expect(await Promise.all([send(), send()])).toEqual([unavailable, unavailable]);
    } finally {
      at.wire.mend();
    }
    await expect.poll(send).toEqual(stored);
  });

  it('while nothing can be stored', async () => {
    const send = await aSender();
    const { db } = at.database;
    await db.run(sql`
      create function full_disk() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
    await db.run(sql`
      create trigger full_disk before insert on device_events for each row execute function full_disk()`);
    expect(await send()).toEqual(unavailable);
    await db.run(sql`drop trigger full_disk on device_events`);
    expect(await send()).toEqual(stored);
  });
});
