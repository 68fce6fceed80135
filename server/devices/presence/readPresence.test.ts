import { beforeAll, describe, expect, it } from 'vitest';
import { readDevice } from '#contract/device.ts';
import { listConnections, readPresence } from '#contract/presence.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

beforeAll(() => aPartition(at.world, 'presence_changes'));

const ago = (ms: number) => new Date(at.world.now().getTime() - ms);

/** Writes presence as the gateway does: connected and disconnected in turn, beginning with connected. */
async function cameAndWent(deviceId: string, ...times: Date[]): Promise<void> {
  for (const [i, time] of times.entries())
    await at.world.platform.db.run(sql`
      insert into presence_changes (project_id, device_id, at, number, connected, reason)
      values (${at.projectId}, ${deviceId}, ${time}, ${i}, ${i % 2 === 0}, ${i % 2 === 0 ? null : 'LOST'})`);
}
const isNow = (deviceId: string, seenAt: Date | string) =>
  at.world.platform.db.run(sql`
    update device_presence set seen_at = ${seenAt}, since = ${ago(hourMs)}, address = '203.0.113.7', protocol = 'mqtt'
    where device_id = ${deviceId}`);
const read = (deviceId: string, begin: Date, end: Date) =>
  at.owner.client.call(readPresence, {
    params: { deviceId },
    query: { begin: begin.toISOString(), end: end.toISOString() },
  });

describe('the presence of a device', () => {
  it('is the status at the beginning of the period and every change in it', async () => {
    const { id } = await at.device();
    const times = [ago(4 * hourMs), ago(3 * hourMs), ago(2 * hourMs), ago(hourMs)];
    await cameAndWent(id, ...times);
    expect(await read(id, ago(3.5 * hourMs), ago(1.5 * hourMs))).toEqual({
      connectedAtBegin: true,
      changes: [
        { at: times[1]?.toISOString(), connected: false, reason: 'LOST' },
        { at: times[2]?.toISOString(), connected: true },
      ],
      truncated: false,
    });
    expect(await read(id, ago(2.5 * hourMs), ago(2.4 * hourMs))).toMatchObject({ connectedAtBegin: false });
    // All that is known about earlier times is that the device was disconnected until it first connected.
    expect((await read(id, ago(9 * hourMs), ago(8 * hourMs))).connectedAtBegin).toBe(false);
  });

  it('without an earlier change is the opposite of the first change', async () => {
    const { id } = await at.device();
    await at.world.platform.db.run(sql`
      insert into presence_changes (project_id, device_id, at, number, connected)
      values (${at.projectId}, ${id}, ${ago(hourMs)}, 1, false)`);
    expect((await read(id, ago(3 * hourMs), ago(2 * hourMs))).connectedAtBegin).toBe(true);
  });

  it('without any stored change is the current status', async () => {
    const [here, away] = [await at.device(), await at.device()];
    await isNow(here.id, 'infinity');
    expect(await read(here.id, ago(hourMs), ago(0))).toMatchObject({ connectedAtBegin: true, changes: [] });
    expect(await read(away.id, ago(hourMs), ago(0))).toMatchObject({ connectedAtBegin: false });
  });

  it('with more than a thousand changes has the newest ones', async () => {
    const { id } = await at.device();
    await at.world.platform.db.run(sql`
      insert into presence_changes (project_id, device_id, at, number, connected)
      select ${at.projectId}, ${id}, ${ago(hourMs)}::timestamptz + n * interval '1 second', n, n % 2 = 0
      from generate_series(1, 1001) n`);
    const { changes, truncated } = await read(id, ago(2 * hourMs), ago(0));
    expect([changes.length, truncated]).toEqual([1000, true]);
    expect(changes[0]?.at).toBe(new Date(Date.parse(changes[999]?.at ?? '') - 999_000).toISOString());
  });

  it('is read for a period of at most thirty days', async () => {
    const { id } = await at.device();
    await failing(read(id, ago(0), ago(0)), 'INVALID_RANGE');
    await failing(read(id, ago(0), ago(hourMs)), 'INVALID_RANGE');
    await failing(read(id, ago(31 * dayMs), ago(0)), 'INVALID_RANGE');
    await failing(read('dev_none', ago(hourMs), ago(0)), 'DEVICE_NOT_FOUND');
  });
});

describe('the connection of a device', () => {
  it('is shown as the gateways registered it', async () => {
    const { id } = await at.device();
    const here = { params: { deviceId: id } };
    await isNow(id, 'infinity');
    const connected = await at.owner.client.call(readDevice, here);
    expect(connected).toMatchObject({
      connectionStatus: 'connected',
      connection: { address: '203.0.113.7', protocol: 'mqtt' },
    });
    expect(Date.parse(connected.connection.lastSeen ?? '')).toBeGreaterThan(ago(minuteMs).getTime());
    const left = ago(minuteMs);
    await isNow(id, left);
    expect(await at.owner.client.call(readDevice, here)).toMatchObject({
      connectionStatus: 'disconnected',
      connection: { lastSeen: left.toISOString() },
    });
  });

  it('is listed with its other open connections, oldest first', async () => {
    const { id } = await at.device();
    expect(await at.owner.client.call(listConnections, { params: { deviceId: id } })).toEqual([]);
    const since = ago(minuteMs);
    for (const number of [12, 7])
      await at.world.platform.db.run(sql`
        insert into device_connections
          (project_id, device_id, client_id, number, gateway_id, protocol, address, temporary, since)
        values (${at.projectId}, ${id}, ${`client-${number}`}, ${number}, 'gtw_1', 'websocket', '::1', ${number > 9}, ${since})`);
    const made = { protocol: 'websocket', address: '::1', since: since.toISOString() };
    expect(await at.owner.client.call(listConnections, { params: { deviceId: id } })).toEqual([
      { ...made, number: 7, clientId: 'client-7', temporary: false },
      { ...made, number: 12, clientId: 'client-12', temporary: true },
    ]);
  });
});
