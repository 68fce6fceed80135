import { expect, it } from 'vitest';
import { readMyDevice, releaseMyDevice } from '#contract/appApi/device.ts';
import { createMyHome } from '#contract/appApi/home.ts';
import { readMyStateHistory } from '#contract/appApi/stateHistory.ts';
import { deleteDevice } from '#contract/device.ts';
import { editProject } from '#contract/project.ts';
import {
  exportDeviceStateHistory,
  projectPropertiesMax,
  rankDevices,
  readClassStateHistory,
  readDeviceStateHistory,
} from '#contract/stateHistory.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { createParts } from '#server/doors/gateway/createParts.ts';
import { DatabaseUnavailable, sql } from '#server/infra/db/sql.ts';
import { keepHouse } from '#server/infra/jobs/housekeeping.ts';
import { slices } from '#server/slices.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome } from '#test/homes.ts';
import { rolledUp, saidBefore } from '#test/stateReports.ts';
import { until } from '#test/until.ts';
import { forgetNumbers } from './forgetNumbers.ts';

const at = aGatewayWorld();

const ago = (ms: number) => new Date(at.world.now().getTime() - ms);
const lately = (ms: number) => ({ begin: ago(ms).toISOString(), end: ago(-minuteMs).toISOString() });
const read = (deviceId: string, ms = hourMs) =>
  at.owner.client.call(readDeviceStateHistory, { params: { deviceId }, query: lately(ms) });
const rowsOf = async (deviceId: string) => {
  const row = await at.world.platform.db.one<{ count: number }>(sql`
    select (select count(*) from state_reports where device_id = ${deviceId})::int
      + (select count(*) from state_minutes where subject = ${deviceId})::int
      + (select count(*) from state_hours where subject = ${deviceId})::int as count`);
  return row?.count;
};

it('numbers and booleans in reports have a history by path, even without changes', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  await here.say('state', { t: 20, on: true, power: { watts: 5 }, mode: 'heat', list: [1] });
  await here.say('state', { t: 20 });
  await here.say('state', { t: 26, on: false });
  const { series, resolution, withoutHistory } = await read(device.id);
  expect([resolution, withoutHistory]).toEqual(['raw', []]);
  const sums = series.map(({ property, points }) => [
    property,
    Math.min(...points.map(({ min }) => min)),
    Math.max(...points.map(({ max }) => max)),
    points.reduce((sum, { count }) => sum + count, 0),
  ]);
  expect(sums).toEqual([
    ['on', 0, 1, 2],
    ['power.watts', 5, 5, 1],
    ['t', 20, 26, 3],
  ]);
});

it('properties beyond the limit of a device or project are listed, and the others have a history', async () => {
  const many = await at.device();
  await using here = await at.connect(many);
  await here.say('state', Object.fromEntries(Array.from({ length: 53 }, (_, i) => [`n${100 + i}`, i])));
  const ofDevice = await read(many.id);
  expect([ofDevice.series.length, ofDevice.withoutHistory]).toEqual([50, ['n150', 'n151', 'n152']]);

  const { id: projectId } = await at.world.aProject(at.owner);
  await at.world.platform.db.run(sql`
    insert into state_properties (project_id, property, is_kept, last_at)
    select ${projectId}, 'old' || n, true, now() from generate_series(2, ${projectPropertiesMax}) n`);
  const elsewhere = Object.assign(Object.create(Object.getPrototypeOf(at)), at, { projectId }) as typeof at;
  const device = await elsewhere.device();
  await using there = await at.connect(device);
  await there.say('state', { a: 1, b: 2 });
  await rolledUp(at);
  const ofProject = await read(device.id);
  expect([ofProject.series.map(({ property }) => property), ofProject.withoutHistory]).toEqual([
    ['a'],
    ['b'],
  ]);
});

it('an invalid range and too many points are refused', async () => {
  const { id: deviceId, deviceClass } = await at.device();
  const begin = ago(hourMs).toISOString();
  const { client } = at.owner;
  await failing(
    client.call(readDeviceStateHistory, { params: { deviceId }, query: { begin, end: begin } }),
    'INVALID_RANGE',
  );
  const params = { classId: deviceClass };
  const query = { projectId: at.projectId, begin: '2001-01-01T00:00:00Z', end: begin };
  await failing(client.call(readClassStateHistory, { params, query }), 'INVALID_RANGE');
  const many = { ...lately(hourMs), points: 1001 };
  await failing(client.call(readDeviceStateHistory, { params: { deviceId }, query: many }), 'INVALID_FIELDS');
});

it('an export of a number has a line for each step, and no formulas', async () => {
  const device = await at.device();
  await saidBefore(at, [
    { deviceId: device.id, at: ago(2 * minuteMs), numbers: { '=1+1': -4.5 } },
    { deviceId: device.id, at: ago(minuteMs), numbers: { '=1+1': 3 } },
  ]);
  const url = new URL(`${at.world.url}/api${exportDeviceStateHistory.path.replace(':deviceId', device.id)}`);
  url.search = new URLSearchParams({ ...lately(hourMs), property: '=1+1' }).toString();
  const answer = await at.owner.fetch(url);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="dev_.*\.csv"$/);
  const [head, ...lines] = (await answer.text()).trim().split('\r\n');
  expect(head).toBe('time,property,minimum,mean,maximum,reports');
  expect(lines.map(line => line.split(',').slice(1).join())).toEqual([
    `"'=1+1",-4.5,-4.5,-4.5,1`,
    `"'=1+1",3,3,3,1`,
  ]);
});

it('an export contains every report of its range, however many, and names as they are', async () => {
  const device = await at.device();
  const begin = new Date(Math.floor(ago(3 * hourMs).getTime() / 1000) * 1000);
  const count = 205_000;
  await at.world.platform.db.run(sql`
    insert into state_reports (project_id, device_id, ts, numbers)
    select ${at.projectId}, ${device.id}, ${begin}::timestamptz + n * interval '50 ms', '{"t ": 1}'
    from generate_series(0, ${count - 1}::int) n`);
  const url = new URL(`${at.world.url}/api${exportDeviceStateHistory.path.replace(':deviceId', device.id)}`);
  const query = { begin: begin.toISOString(), end: at.world.now().toISOString(), property: 't ' };
  url.search = new URLSearchParams(query).toString();
  const lines = (await (await at.owner.fetch(url)).text()).trim().split('\r\n').slice(1);
  expect(lines[0]).toBe(`${begin.toISOString()},t ,1,1,1,20`);
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[5]), 0)).toBe(count);
  expect(new Set(lines).size).toBe(lines.length);
});

it('a report is in the history once, even if the answer to its commit is lost', async () => {
  const device = await at.device();
  const { platform } = at.world;
  const { db } = platform;
  let lost = 0;
  const tx: typeof db.tx = async work => {
    const answer = await db.tx(work);
    if (lost > 0 || (await rowsOf(device.id)) === 0) return answer;
    lost += 1;
    throw new DatabaseUnavailable('The connection to the database was lost.');
  };
  const { admissions, ingest } = createParts({ ...platform, db: { ...db, tx } }, 'gtw_lost');
  const sender = await admissions.add(device.id);
  if (!sender) throw new Error('There is no such device.');
  const say = (state: object) =>
    ingest.take(sender, { topic: 'state', payload: Buffer.from(JSON.stringify(state)), qos: 1 });
  expect(await Promise.all([say({ t: 1, on: true }), say({ t: 2 })])).toEqual([undefined, undefined]);
  await ingest.stop();
  expect(lost).toBe(1);
  expect((await at.stateOf(device)).reported).toEqual({ t: 2, on: true });
  const [, t] = (await read(device.id)).series;
  expect(t?.points.reduce((sum, { count }) => sum + count, 0)).toBe(2);
});

it('the devices of a class are ranked by their current values, and its chart can be exported', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  const elsewhere = Object.assign(Object.create(Object.getPrototypeOf(at)), at, { projectId }) as typeof at;
  const cold = await elsewhere.device();
  const { deviceClass } = cold;
  const [warm, silent] = [await elsewhere.device({ deviceClass }), await elsewhere.device({ deviceClass })];
  const say = async (device: typeof cold, state: object) => {
    await using here = await at.connect(device);
    await here.say('state', state);
    at.world.pass(1000);
  };
  // Both reports must be in the same step of the chart.
  const stepMs = 5 * minuteMs;
  at.world.pass(stepMs - (at.world.now().getTime() % stepMs));
  await say(warm, { 'room.1': { celsius: 30, on: true } });
  await say(cold, { 'room.1': { celsius: -4.5, on: false } });
  await say(silent, { 'room.1': { celsius: 'none' } });
  const params = { classId: deviceClass };
  const ranked = (property: string, query: object = {}) =>
    at.owner.client.call(rankDevices, { params, query: { projectId, property, ...query } });
  const idsOf = async (...given: Parameters<typeof ranked>) =>
    (await ranked(...given)).devices.map(({ deviceId }) => deviceId);
  const celsius = 'room\\.1.celsius';
  expect(await ranked(celsius)).toMatchObject({
    isComplete: true,
    reportedBy: 2,
    devices: [
      { deviceId: warm.id, value: 30 },
      { deviceId: cold.id, value: -4.5 },
    ],
  });
  expect(await idsOf(celsius, { by: 'lowest' })).toEqual([cold.id, warm.id]);
  // The items of a list are no properties.
  await say(cold, { list: [7, 8] });
  expect([await idsOf('list.0'), await idsOf('list.-1')]).toEqual([[], []]);
  expect(await idsOf(celsius, { by: 'latest', limit: 1 })).toEqual([cold.id]);
  expect((await ranked('room\\.1.on')).devices.map(({ value }) => value)).toEqual([1, 0]);
  expect(await ranked('room.1.celsius')).toEqual({ devices: [], reportedBy: 0, isComplete: true });
  // Blocking the states simulates too many devices: the call ends with an incomplete answer.
  const unread = { devices: [], reportedBy: 0, isComplete: false };
  await at.world.platform.db.tx(async db => {
    await db.run(sql`lock table device_states in access exclusive mode`);
    expect(await ranked(celsius)).toEqual(unread);
  });

  await rolledUp(at);
  const url = new URL(`${at.world.url}/api/deviceClasses/${deviceClass}/stateHistoryExport`);
  url.search = new URLSearchParams({ ...lately(hourMs), projectId, property: celsius }).toString();
  const lines = (await (await at.owner.fetch(url)).text()).trim().split('\r\n').slice(1);
  expect(lines.map(line => line.split(',').slice(1).join())).toEqual([`${celsius},-4.5,12.75,30,2`]);
});

it('with a shorter retention, a project shows less and its older rows are deleted', async () => {
  const { id: deviceId } = await at.device();
  const said = [6, 5, 3, 1].map(days => ({ deviceId, at: ago(days * dayMs), numbers: { t: days } }));
  await saidBefore(at, said);
  await rolledUp(at);
  const reports = async () => {
    const row = await at.world.platform.db.one<{ count: number }>(sql`
      select count(*)::int as count from state_reports where device_id = ${deviceId} and numbers is not null`);
    return row?.count;
  };
  const shown = async () => (await read(deviceId, 10 * dayMs)).series[0]?.points.map(({ mean }) => mean);
  expect([await shown(), await reports()]).toEqual([[6, 5, 3, 1], 4]);
  const edit = (body: object) =>
    at.owner.client.call(editProject, { params: { projectId: at.projectId }, body });
  await edit({ rawHistoryDays: 2, fiveMinuteHistoryDays: 2, hourlyHistoryDays: 4 });
  const chores = slices.flatMap(slice => slice.chores ?? []);
  await keepHouse({ ...at.world.platform, chores })({}, { isLast: false, signal: undefined });
  await forgetNumbers(at.world.platform);
  expect([await shown(), await reports()]).toEqual([[3, 1], 1]);
  await failing(edit({ rawHistoryDays: 8 }), 'INVALID_FIELDS');
  await edit({ rawHistoryDays: 7, fiveMinuteHistoryDays: 30, hourlyHistoryDays: 730 });
});

it('the history of a device is deleted with the device', async () => {
  const { id: deviceId } = await at.device();
  await saidBefore(at, [{ deviceId, at: ago(hourMs), numbers: { t: 1 } }]);
  await rolledUp(at);
  expect(await rowsOf(deviceId)).toBe(3);
  await at.owner.client.call(deleteDevice, { params: { deviceId } });
  await until(async () => ((await rowsOf(deviceId)) === 0 ? true : undefined));
});

it('the next home of a device sees no history from the previous one', async () => {
  const app = await anApp(at.owner, at.projectId);
  const device = await at.device();
  const params = { deviceId: device.id };
  const aResident = async () => {
    const user = await anEndUser(at.world, app);
    const home = await user.client.call(createMyHome, { body: { name: 'Home', timeZone: 'Europe/Oslo' } });
    await inHome(at.world, home.id, [device.id]);
    return user;
  };
  const first = await aResident();
  await saidBefore(at, [{ deviceId: device.id, at: ago(0), numbers: { t: 1 } }]);
  await rolledUp(at);
  const seenBy = async (user: typeof first) => {
    const ranges = [hourMs, 2 * dayMs, 20 * dayMs].map(ms =>
      user.client.call(readMyStateHistory, { params, query: lately(ms) }),
    );
    return (await Promise.all(ranges)).map(({ series }) => series.flatMap(({ points }) => points).length);
  };
  // A step that began before the device joined is not shown; individual reports are.
  expect((await seenBy(first))[0]).toBe(1);
  await first.client.call(releaseMyDevice, { params });
  at.world.pass(1000);
  const second = await aResident();
  expect(await seenBy(second)).toEqual([0, 0, 0]);
  await failing(first.client.call(readMyDevice, { params }), 'DEVICE_NOT_FOUND');
  await failing(first.client.call(readMyStateHistory, { params, query: lately(hourMs) }), 'DEVICE_NOT_FOUND');
  await until(async () => ((await rowsOf(device.id)) === 0 ? true : undefined));
});
