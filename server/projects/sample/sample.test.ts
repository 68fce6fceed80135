import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { listBundles } from '#contract/bundle.ts';
import { listChannels } from '#contract/channel.ts';
import { listComponents } from '#contract/component.ts';
import { listComponentVersions } from '#contract/componentVersion.ts';
import { listDevices, readDevice, readDeviceKey } from '#contract/device.ts';
import { listDeviceClasses, listKvPairs, readDeviceClass } from '#contract/deviceClass.ts';
import { listDeviceClassRevisions } from '#contract/deviceClassRevision.ts';
import { readDeviceFirmware } from '#contract/deviceFirmware.ts';
import { listDeviceEvents, readDeviceState } from '#contract/deviceState.ts';
import { listFindings } from '#contract/finding.ts';
import { readConnectedHistory } from '#contract/fleet.ts';
import { listHomeMembers, listHomes } from '#contract/home.ts';
import { readDeviceLogEntries } from '#contract/logRequest.ts';
import { readPresence } from '#contract/presence.ts';
import { listProjects } from '#contract/project.ts';
import { checkModuleConfig, listSmartModules, readSmartModule } from '#contract/smartModule.ts';
import { readDeviceStateHistory } from '#contract/stateHistory.ts';
import { readMessageHours, readTrafficStats } from '#contract/stats.ts';
import { listUsers } from '#contract/user.ts';
import { isDeviceClassKey } from '#rules/devices/deviceClassKey.ts';
import { isEventName } from '#rules/eventNames.ts';
import { dayMs } from '#rules/time/durations.ts';
import { checkAgainst, checkSchema } from '#server/classes/deviceClasses/schemas.ts';
import { statesAt } from '#server/devices/stateHistory/stateAt.ts';
import { until } from '#test/until.ts';
import { type SignedIn, theWorld } from '#test/world.ts';
import { sampleClasses, sampleDevices, sampleThermostat } from './sampleDevices.ts';
import { firstThermostat, thermostatEdits } from './sampleRevisions.ts';

const world = theWorld({ SAMPLE_PROJECT: 'on' });
let ada: SignedIn;
let projectId: string;
beforeAll(async () => {
  ada = await world.aDeveloper();
  projectId = (await ada.client.call(listProjects, {})).items[0]?.id ?? '';
});

it('a sample project has classes with schemas and key-value pairs', async () => {
  const { items } = await ada.client.call(listDeviceClasses, { params: { projectId } });
  expect(items.map(({ id, deviceCount }) => [id, deviceCount])).toEqual([
    ['door-sensor', 2],
    ['lamp', 1],
    ['thermostat', 4],
  ]);
  const of = { params: { classId: 'thermostat' }, query: { projectId } };
  const { stateSchema, eventSchemas, commandSchemas } = sampleThermostat;
  expect(await ada.client.call(readDeviceClass, of)).toMatchObject({
    stateSchema,
    eventSchemas,
    commandSchemas,
  });
  const pairs = await ada.client.call(listKvPairs, of);
  expect(pairs.items.map(({ key }) => key)).toEqual(['comfort:celsius', 'eco:schedule', 'report-every-s']);
});

it('a sample class has revisions to compare, and each of them is valid', async () => {
  const of = { params: { classId: 'thermostat' }, query: { projectId } };
  const rows = await ada.client.call(listDeviceClassRevisions, of);
  expect(rows.map(({ revision, changed, savedBy }) => [revision, changed, savedBy?.name])).toEqual([
    [3, ['description', 'stateSchema', 'commandSchemas'], 'Mooring'],
    [2, ['stateSchema', 'eventSchemas', 'commandSchemas'], 'Mooring'],
    [1, [], 'Mooring'],
  ]);
  const hours = rows.map(
    ({ savedAt = '' }) => (world.platform.clock().getTime() - Date.parse(savedAt)) / 3_600_000,
  );
  expect(hours.map(Math.round)).toEqual([27, 50, 72]);
  for (const { edit } of [{ edit: firstThermostat }, ...thermostatEdits]) {
    const { stateSchema, eventSchemas = {}, commandSchemas } = edit;
    for (const schema of [stateSchema, ...Object.values(eventSchemas), ...Object.values(commandSchemas)])
      checkSchema(schema);
  }
});

it('a sample project has devices, newest last, with working keys and a state', async () => {
  const query = { projectId, sortBy: 'creationTime:asc' };
  const { items } = await ada.client.call(listDevices, { query });
  expect(items.map(({ tag, name }) => ({ tag, name }))).toEqual(
    sampleDevices.map(({ tag, name }) => ({ tag, name })),
  );
  const params = { deviceId: items[0]?.id ?? '' };
  const device = await ada.client.call(readDevice, { params });
  const { apiKey } = await ada.client.call(readDeviceKey, { params });
  expect([apiKey.length, apiKey.slice(-4)]).toEqual([32, device.apiKeyEnd]);
  const state = await ada.client.call(readDeviceState, { params });
  expect(state.reported).toEqual(sampleDevices[0]?.reported);
});

it('the samples are valid according to their own schemas', () => {
  for (const { kv, stateSchema, eventSchemas, commandSchemas } of sampleClasses) {
    for (const schema of [stateSchema, ...Object.values(eventSchemas), ...Object.values(commandSchemas)])
      checkSchema(schema);
    expect(Object.keys(kv).filter(key => !isDeviceClassKey(key))).toEqual([]);
  }
  for (const { deviceClass, reported, past } of sampleDevices) {
    const { stateSchema, eventSchemas } = sampleClasses.find(({ id }) => id === deviceClass) ?? {};
    expect(checkAgainst(stateSchema, reported)).toEqual([]);
    for (const { name, payload } of past?.events ?? []) {
      const schema = (eventSchemas as Record<string, unknown> | undefined)?.[name] ?? true;
      expect(checkAgainst(schema, payload)).toEqual([]);
      expect(isEventName(name)).toBe(true);
    }
  }
});

it('a sample device has a past in its presence, log, events and state', async () => {
  const { items } = await ada.client.call(listDevices, { query: { projectId, sortBy: 'creationTime:asc' } });
  const [hall, , , , , cellar] = items;
  expect(items.map(({ connectionStatus }) => connectionStatus)).toEqual(
    sampleDevices.map(({ past }) => (past ? 'disconnected' : 'never')),
  );
  const params = { deviceId: hall?.id ?? '' };
  const now = world.now().getTime();
  const query = { begin: new Date(now - 4 * dayMs).toISOString(), end: new Date(now).toISOString() };
  const presence = await ada.client.call(readPresence, { params, query });
  expect(presence.changes.map(({ connected }) => connected)).toEqual([true, false, true, false]);
  expect(presence.changes.at(-1)?.at).toBe(hall?.connection.lastSeen);
  const log = await ada.client.call(readDeviceLogEntries, { params, query });
  expect(log.map(({ action }) => action)).toEqual(['disconnected', 'connected', 'disconnected', 'connected']);
  const state = await ada.client.call(readDeviceState, { params });
  expect(state.reportedAt).toBe(hall?.connection.lastMessageAt);
  const events = await ada.client.call(listDeviceEvents, { params: { deviceId: cellar?.id ?? '' }, query });
  expect(events).toMatchObject([{ name: 'opened' }, { name: 'battery-low', alert: { severity: 'warning' } }]);
  // All of it is from after their creation, and from times when they were connected.
  for (const { creationTime, connection } of items.filter(one => one.connectionStatus !== 'never')) {
    expect(creationTime < (connection.lastMessageAt ?? '')).toBe(true);
    expect((connection.lastMessageAt ?? '') < (connection.lastSeen ?? '')).toBe(true);
  }
});

it('the overview of a sample project counts the messages of its devices', async () => {
  const params = { projectId };
  const { hours, classes } = await ada.client.call(readMessageHours, { params });
  const messages = hours.reduce((sum, { incoming }) => sum + incoming, 0);
  expect(messages).toBeGreaterThan(1_000);
  expect(classes.map(({ deviceClass }) => deviceClass)).toEqual(['door-sensor', 'thermostat']);
  const monthOf = (daysAgo: number) =>
    new Date(world.now().getTime() - daysAgo * dayMs).toISOString().slice(0, 7);
  const months = await ada.client.call(readTrafficStats, {
    params,
    query: { begin: monthOf(31), end: monthOf(0) },
  });
  expect(months.reduce((sum, { counts }) => sum + counts.deviceMessagesIn, 0)).toBe(messages);
  const { points } = await ada.client.call(readConnectedHistory, { params });
  expect(points.length).toBeGreaterThan(95);
  expect([points[0]?.connected, points.at(-1)?.connected]).toEqual([5, 0]);
  expect(await ada.client.call(listFindings, { params })).toMatchObject([
    { signal: 'lost' },
    { signal: 'alert' },
    { signal: 'never' },
  ]);
});

it('a sample project has firmware: what the thermostats run, and a bundle to roll out', async () => {
  const { items: bundles } = await ada.client.call(listBundles, {
    query: { projectId, sortBy: 'createdAt:asc' },
  });
  expect(bundles.map(({ name, deviceClass }) => [name, deviceClass])).toEqual([
    ['autumn', 'thermostat'],
    ['winter', 'thermostat'],
  ]);
  const { items: channels } = await ada.client.call(listChannels, {
    query: { projectId, sortBy: 'name:asc' },
  });
  expect(channels.map(({ name, bundleId }) => [name, bundleId])).toEqual([
    ['beta', bundles[1]?.id],
    ['stable', bundles[0]?.id],
  ]);
  const { items: devices } = await ada.client.call(listDevices, { query: { projectId } });
  const thermostats = devices.filter(({ deviceClass }) => deviceClass === 'thermostat');
  for (const { id, connectionStatus, bundleInstalledName } of thermostats) {
    // A device that has never connected has reported nothing.
    const runs = connectionStatus !== 'never';
    const firmware = await ada.client.call(readDeviceFirmware, { params: { deviceId: id } });
    expect(firmware.current).toMatchObject({
      bundle: { id: bundles[0]?.id },
      state: runs ? 'done' : 'waiting',
    });
    expect([bundleInstalledName, firmware.installed?.components]).toEqual(
      runs ? ['autumn', [{ component: 'thermostat', version: '1.4.0' }]] : [undefined, undefined],
    );
  }
  const others = devices.filter(device => !thermostats.includes(device));
  expect(others.map(({ bundleInstalled }) => bundleInstalled)).toEqual(others.map(() => undefined));
  const [component] = (await ada.client.call(listComponents, { query: { projectId } })).items;
  const query = { componentId: component?.id ?? '' };
  const versions = await until(async () => {
    const { items } = await ada.client.call(listComponentVersions, { query });
    return items.every(({ state }) => state === 'ready') ? items : undefined;
  });
  expect(versions.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
    ['1.5.0', 192 * 1024],
    ['1.4.0', 192 * 1024],
  ]);
});

it('a home with devices has an owner and a member, who use an app, as does a user without a home', async () => {
  const [home] = (await ada.client.call(listHomes, { query: { projectId } })).items;
  expect(home).toMatchObject({ memberCount: 2, deviceCount: 4, createdIn: 'home-app', active: true });
  const members = await ada.client.call(listHomeMembers, { params: { homeId: home?.id ?? '' } });
  expect(members.map(({ role }) => role).toSorted()).toEqual(['member', 'owner']);
  const { items } = await ada.client.call(listUsers, { query: { projectId, sortBy: 'name:asc' } });
  expect(items.map(({ name, state, deviceCount }) => [name, state, deviceCount])).toEqual([
    ['Kari Berg', 'active', 4],
    ['Mari Kask', 'active', 0],
    ['Ola Berg', 'active', 4],
  ]);
});

it('no sample user has an address that the README of the app SDK registers or invites', async () => {
  const { items } = await ada.client.call(listUsers, { query: { projectId, limit: 25 } });
  const readme = readFileSync(new URL('../../../sdk/app/README.md', import.meta.url), 'utf8');
  const named: string[] = readme.match(/[\w.]+@example\.com/g) ?? [];
  expect(named).toHaveLength(2);
  expect(items.filter(({ email }) => named.includes(email ?? ''))).toEqual([]);
});

it('the history of a sample device matches its schema and ends with its current report', async () => {
  const { items } = await ada.client.call(listDevices, { query: { projectId } });
  const device = items.find(({ tag }) => tag === 'thermostat-hall');
  const params = { deviceId: device?.id ?? '' };
  const now = world.now().getTime();
  const query = { begin: new Date(now - 3 * dayMs).toISOString(), end: new Date(now).toISOString() };
  const numbers = ['battery', 'target', 'temperature'];
  const series = await until(async () => {
    const history = await ada.client.call(readDeviceStateHistory, { params, query });
    return history.series.length === numbers.length ? history.series : undefined;
  });
  expect(series.map(({ property }) => property)).toEqual(numbers);
  expect(series.map(({ points }) => points.at(-1)?.mean)).toEqual([87, 20, expect.closeTo(19.5, 0)]);
  const { db } = world.platform;
  for (const hours of [70, 40, 3]) {
    const states = await statesAt(db, projectId, [params.deviceId], new Date(now - hours * 3_600_000));
    expect(checkAgainst(sampleThermostat.stateSchema, states.get(params.deviceId))).toEqual([]);
  }
});

it('the modules of a sample project have valid configurations', async () => {
  const { items } = await ada.client.call(listSmartModules, { params: { projectId } });
  expect(items.map(({ id }) => id)).toEqual(['comfort-limits', 'night-setback', 'too-warm']);
  for (const { id: moduleId, moduleType, subscribedEvents, deviceClasses, dataSourceModules } of items) {
    const { configData } = await ada.client.call(readSmartModule, { params: { projectId, moduleId } });
    const body = { moduleType, moduleId, subscribedEvents, deviceClasses, dataSourceModules, configData };
    const checked = await ada.client.call(checkModuleConfig, { params: { projectId }, body });
    expect([moduleId, checked.faults]).toEqual([moduleId, []]);
  }
});
