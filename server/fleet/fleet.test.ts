import { describe, expect, it } from 'vitest';
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
import { sql } from '#server/db/sql.ts';
import { sampleConnectedJob } from '#server/fleet/connectedHistory.ts';
import { aBundle } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();
const attempt = { isLast: true, signal: new AbortController().signal };

it('the least number of connected devices in a quarter of an hour is kept beside the last', async () => {
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
  // The job of the server may have sampled as well, at its own time.
  const rows = await at.world.platform.db.many(sql`
    select device_class, at, connected::int, low::int from connected_history
    where project_id = ${projectId} and at = ${at1000} order by device_class`);
  expect(rows).toEqual([
    { device_class: '', at: at1000, connected: 6, low: 4 },
    { device_class: deviceClass, at: at1000, connected: 6, low: 4 },
  ]);
});

it('what needs attention is found: by kind, with how often, to whom last and why', async () => {
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
    alert: { count: 1, devices: named, causes: [{ text: 'Fire', count: 1 }] },
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

describe('devices that are gone at once are found', () => {
  const now = Date.now();

  interface Fleet {
    /** Of the whole project where none is said. */
    deviceClass?: string;
    connected: number;
    devices?: number;
    suspended?: number;
    history?: Record<string, number>;
  }

  async function findingsWith(fleets: readonly Fleet[]) {
    const { id: projectId } = await at.world.aProject(at.owner);
    const { db } = at.world.platform;
    for (const { deviceClass = '', connected, devices = 5000, suspended = 0, history = {} } of fleets) {
      await db.run(sql`insert into device_counts (project_id, device_class, part, unclaimed, connected, suspended)
        values (${projectId}, ${deviceClass || 'c'}, 0, ${devices}, ${connected}, ${suspended})`);
      for (const [hoursAgo, then] of Object.entries(history)) {
        const quarter = new Date(now - Number(hoursAgo) * 3_600_000);
        await db.run(sql`
          insert into connected_history values (${projectId}, ${deviceClass}, ${quarter}, ${then}, ${then})`);
      }
    }
    const findings = await at.owner.client.call(listFindings, { params: { projectId } });
    return findings.filter(({ signal }) => signal === 'offline');
  }

  async function foundWith(connected: number, history: Record<string, number>) {
    const found = await findingsWith([{ connected, history }]);
    expect(found.length).toBeLessThan(2);
    return found[0];
  }

  it('by what was connected at this time yesterday', async () => {
    const found = await foundWith(391, { 24: 4990, 2: 4800, 1: 400 });
    expect(found).toMatchObject({
      count: 4599,
      causes: [{ text: expect.stringContaining('391 connected now') }],
    });
    const sinceMs = now - Date.parse(found?.at ?? '');
    expect(Math.round(sinceMs / 3_600_000)).toBe(2);
  });

  it('by the week before, where that was less: fleets may rest at the weekend', async () => {
    expect(await foundWith(400, { 168: 410, 24: 4990 })).toBeUndefined();
    expect(await foundWith(300, { 168: 410, 24: 4990 })).toMatchObject({ count: 110 });
  });

  it('by the most so far, where there is no day before', async () => {
    expect(await foundWith(391, { 3: 4000, 2: 4990 })).toMatchObject({ count: 4599 });
  });

  it('in the first quarter of an hour on record as well', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    const { db } = at.world.platform;
    const sample = sampleConnectedJob(at.world.platform);
    await db.run(sql`insert into device_counts (project_id, device_class, part, unclaimed, connected)
      values (${projectId}, 'c', 0, 30, 30)`);
    await sample({}, attempt);
    await db.run(sql`update device_counts set connected = 0 where project_id = ${projectId}`);
    await sample({}, attempt);
    const findings = await at.owner.client.call(listFindings, { params: { projectId } });
    expect(findings).toMatchObject([{ signal: 'offline', count: 30 }]);
  });

  it('but not where few are missing, and not at an hour of the day when most always are', async () => {
    expect(await foundWith(1, { 24: 10 })).toBeUndefined();
    expect(await foundWith(4500, { 24: 4990 })).toBeUndefined();
    expect(await foundWith(400, { 24: 400, 12: 4990 })).toBeUndefined();
    expect(await foundWith(0, {})).toBeUndefined();
  });

  it('of one class, where they are few in the whole fleet', async () => {
    const found = await findingsWith([
      { connected: 470, devices: 470, history: { 24: 500 } },
      { deviceClass: 'gateway', connected: 0, devices: 30, history: { 24: 30, 1: 30 } },
      { deviceClass: 'lamp', connected: 199, devices: 200, history: { 24: 200 } },
    ]);
    expect(found).toMatchObject([
      {
        deviceClass: 'gateway',
        count: 30,
        causes: [{ text: 'gateway: 0 connected now, usually at least 30 at this time of day', count: 1 }],
      },
    ]);
  });

  it('with the time at which they went, not that of the last count', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    const { db } = at.world.platform;
    const ago = (minutes: number) => new Date(now - minutes * 60_000);
    await db.run(
      sql`insert into device_classes (project_id, id, created_at) values (${projectId}, 'gateway', now())`,
    );
    await db.run(sql`
      with made as (
        insert into devices (project_id, id, device_class, key_hash, key_end, created_at)
        select ${projectId}, 'dev_gone_' || n, 'gateway', sha256(n::text::bytea), 'gone', now() from generate_series(1, 30) n
        returning id)
      insert into device_presence (project_id, device_id, device_class, seen_at)
      select ${projectId}, id, 'gateway', case id when 'dev_gone_1' then ${ago(40)}::timestamptz else ${ago(7)} end from made`);
    await db.run(sql`
      insert into connected_history values (${projectId}, 'gateway', ${ago(60)}, 30, 30)`);
    const [found] = await at.owner.client.call(listFindings, { params: { projectId } });
    expect(found).toMatchObject({ signal: 'offline', deviceClass: 'gateway', at: ago(7).toISOString() });
  });

  it('of the whole fleet, with the classes that miss most', async () => {
    const found = await findingsWith([
      { connected: 100, history: { 24: 400 } },
      { deviceClass: 'gateway', connected: 0, devices: 30, history: { 24: 30 } },
      { deviceClass: 'lamp', connected: 30, devices: 300, history: { 24: 300 } },
    ]);
    expect(found).toHaveLength(1);
    expect(found[0]?.deviceClass).toBeUndefined();
    const texts = found[0]?.causes.map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringMatching(/^130 connected now/),
      'lamp: 30 of 300',
      'gateway: 0 of 30',
    ]);
  });

  it('but not those that were deleted or suspended', async () => {
    const history = { 24: 100 };
    expect(await findingsWith([{ connected: 40, devices: 40, history }])).toEqual([]);
    expect(await findingsWith([{ connected: 40, devices: 100, suspended: 60, history }])).toEqual([]);
    expect(await findingsWith([{ connected: 40, devices: 100, history }])).toMatchObject([{ count: 60 }]);
  });
});

it('messages are counted by hour, and by class', async () => {
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

it('a developer sees the fleets of their own projects, and of no other', async () => {
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

it('the history of a class is its own, and begins where there is a record', async () => {
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
