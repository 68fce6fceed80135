import { expect, it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import { listFleets, readConnectedHistory } from '#contract/fleet.ts';
import { readMessageHours } from '#contract/stats.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { sampleConnectedJob } from './connectedHistory.ts';

const at = aGatewayWorld();
const attempt = { isLast: true, signal: new AbortController().signal };

it('the lowest number of connected devices in a quarter of an hour is stored with the latest one', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  const deviceClass = 'c';
  const count = async (connected: number) => {
    await at.world.platform.db.run(sql`
      insert into device_counts (project_id, device_class, part, unclaimed, connected)
      values (${projectId}, ${deviceClass}, 0, 9, ${connected})
      on conflict (project_id, device_class, part) do update set connected = excluded.connected`);
    await sampleConnectedJob({ ...at.world.platform, clock: () => new Date('2026-01-05T10:07:00Z') })(
      {},
      attempt,
    );
  };
  for (const connected of [7, 4, 6]) await count(connected);
  const at1000 = new Date('2026-01-05T10:00:00Z');
  // The server's own job may have taken a sample as well, at the real time.
  const rows = await at.world.platform.db.many(sql`
    select device_class, at, connected::int, low::int from connected_history
    where project_id = ${projectId} and at = ${at1000} order by device_class`);
  expect(rows).toEqual([
    { device_class: '', at: at1000, connected: 6, low: 4 },
    { device_class: deviceClass, at: at1000, connected: 6, low: 4 },
  ]);
});

it('messages are counted by hour and by class', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  const { traffic } = at.world.platform;
  const count = (deviceClass: string, incoming: number) =>
    traffic.countMessages({ projectId, deviceClass, in: incoming, out: 1, bytes: 9 });
  count('a', 3);
  count('b', 4);
  count('a', 5);
  const { hours, classes } = await at.owner.client.call(readMessageHours, { params: { projectId } });
  expect(hours.reduce((sum, { incoming }) => sum + incoming, 0)).toBe(12);
  expect(hours.reduce((sum, { outgoing }) => sum + outgoing, 0)).toBe(3);
  const sums = classes.map(one => [
    one.deviceClass,
    one.hours.reduce((sum, { messages }) => sum + messages, 0),
  ]);
  expect(sums).toEqual([
    ['a', 10],
    ['b', 5],
  ]);
});

it('a developer sees only the fleets of their own projects', async () => {
  const { id: deviceClass } = await at.deviceClass();
  const device = await at.device({ deviceClass });
  await at.owner.client.call(editDevice, { params: { deviceId: device.id }, body: { suspended: true } });
  const other = await at.world.aDeveloper();
  const foreign = (await at.world.aProject(other)).id;
  const query = { projectIds: [at.projectId, foreign].join(',') };
  const fleets = await at.owner.client.call(listFleets, { query });
  expect(fleets.map(({ projectId }) => projectId)).toEqual([at.projectId]);
  const [fleet] = fleets;
  expect(fleet?.states.suspended).toBe(1);
});

it('the history of a class is separate from the project’s, and begins with its first sample', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  const { db } = at.world.platform;
  const now = Date.now();
  const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000);
  for (const [deviceClass, minutes, connected] of [
    ['', 30, 5],
    ['', 60 * 30, 9],
    ['c', 15, 2],
  ] as const)
    await db.run(sql`insert into connected_history values
      (${projectId}, ${deviceClass}, ${minutesAgo(minutes)}, ${connected}, ${connected - 1})`);
  const read = async (query: { deviceClass?: string }) =>
    (await at.owner.client.call(readConnectedHistory, { params: { projectId }, query })).points;
  expect(await read({})).toEqual([{ at: minutesAgo(30).toISOString(), connected: 5, low: 4 }]);
  expect(await read({ deviceClass: 'c' })).toEqual([
    { at: minutesAgo(15).toISOString(), connected: 2, low: 1 },
  ]);
});
