import { expect, it } from 'vitest';
import { sendCommand } from '#contract/command.ts';
import { deviceSignals, editDevice, listDevices } from '#contract/device.ts';
import type { TargetFrame } from '#contract/deviceProtocol.ts';
import {
  listDeviceNames,
  listDevicePulses,
  listFindings,
  listFleets,
  readConnectedHistory,
} from '#contract/fleet.ts';
import { readMessageHours } from '#contract/stats.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aBundle } from '#test/firmware.ts';
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

it('findings list what needs attention by kind, with count, latest devices and causes', async () => {
  const { id: deviceClass } = await at.deviceClass({
    stateSchema: { properties: { celsius: { maximum: 30 } } },
  });
  const device = await at.device({ deviceClass, name: 'Boiler' });
  const calm = await at.device({ deviceClass });
  const params = { projectId: at.projectId };
  const findings = async () => {
    const all = await at.owner.client.call(listFindings, { params });
    return Object.fromEntries(all.map(({ signal, at: _, ...finding }) => [signal, finding]));
  };
  expect(Object.keys(await findings())).toEqual(['never']);
  expect((await findings()).never).toMatchObject({ count: 2, devices: [{ id: calm.id }, { id: device.id }] });

  for (let times = 0; times < 3; times++) {
    await using _ = await at.connect(device);
    await at.untilIs(device, 'connected');
    await _.client.endAsync();
    await at.untilIs(device, 'disconnected');
  }
  const { id: bundlePinned } = await aBundle(at.world, { ...params, deviceClass });
  await at.owner.client.call(editDevice, { params: { deviceId: device.id }, body: { bundlePinned } });
  await using here = await at.connect(device);
  await here.listen('commands/#');
  await here.say('events/smoke', { _alert: { severity: 'critical', text: 'Fire' } });
  await here.say('state', { celsius: 31 });
  await here.listen('target');
  const { sequence } = (await here.next('target')).payload as TargetFrame;
  await here.say('progress', { state: 'failed', sequence, code: 'boot_failed', error: 'No image' });
  const { id: commandId } = await at.owner.client.call(sendCommand, {
    params: { deviceId: device.id },
    body: { name: 'blink', args: {} },
  });
  await here.say(`results/${commandId}`, { ok: false, error: 'No lamp' });

  const named = [{ id: device.id, name: 'Boiler', tag: device.tag }];
  await expect.poll(findings).toEqual({
    alert: { severity: 'critical', count: 1, devices: named, causes: [{ text: 'Fire', count: 1 }] },
    updateFailed: { count: 1, devices: named, causes: [{ text: 'boot_failed: No image', count: 1 }] },
    commandFailed: { count: 1, devices: named, causes: [{ text: 'blink: No lamp', count: 1 }] },
    quarantine: {
      count: 1,
      devices: named,
      causes: [{ text: expect.stringMatching(/^celsius /), count: 1 }],
    },
    flapping: { count: 1, devices: named, causes: [] },
    never: { count: 1, devices: [{ id: calm.id, name: calm.name, tag: calm.tag }], causes: [] },
  });

  const other = await at.world.aDeveloper();
  const elsewhere = { params: { projectId: (await at.world.aProject(other)).id } };
  expect(await other.client.call(listFindings, elsewhere)).toEqual([]);

  for (const signal of deviceSignals) {
    const { items } = await at.owner.client.call(listDevices, { query: { ...params, signal } });
    expect(items.map(({ id }) => id)).toEqual([device.id]);
  }
  const ids = [device.id, calm.id].join(',');
  const pulses = await at.owner.client.call(listDevicePulses, { params, query: { ids } });
  const [trouble, peace] = [device, calm].map(({ id }) => pulses.find(one => one.id === id));
  expect(trouble?.presence.changes.map(({ connected }) => connected)).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
  expect(trouble?.signals.toSorted((a, b) => a.signal.localeCompare(b.signal))).toEqual([
    { signal: 'alert', count: 1, text: 'Fire' },
    { signal: 'commandFailed', count: 1, text: 'blink' },
    { signal: 'flapping', count: 7 },
    { signal: 'quarantine', count: 1 },
    { signal: 'updateFailed', count: 1, text: 'No image' },
  ]);
  expect(peace).toMatchObject({ presence: { connectedAtBegin: false, changes: [] }, signals: [] });

  const names = await at.owner.client.call(listDeviceNames, { params, query: { ids } });
  expect(names).toEqual([...named, { id: calm.id, name: calm.name, tag: calm.tag }]);
  expect(await other.client.call(listDeviceNames, { ...elsewhere, query: { ids } })).toEqual([]);

  const stolen = await other.client.call(listDevicePulses, { ...elsewhere, query: { ids } });
  expect(stolen).toEqual([]);
});

it('a device that only makes HTTP calls is not reported as never connected', async () => {
  const calling = await at.device();
  const silent = await at.device();
  const findings = () => at.owner.client.call(listFindings, { params: { projectId: at.projectId } });
  const never = async () => (await findings()).find(({ signal }) => signal === 'never');
  expect((await never())?.devices.map(({ id }) => id)).toEqual(
    expect.arrayContaining([calling.id, silent.id]),
  );
  const before = (await never())?.count ?? 0;
  await at.world.platform.db.run(sql`
    update device_presence set last_message_at = now() where device_id = ${calling.id}`);
  expect(await never()).toMatchObject({ count: before - 1 });
  expect((await never())?.devices.map(({ id }) => id)).not.toContain(calling.id);
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
