import { expect, it } from 'vitest';
import { listCommands } from '#contract/command.ts';
import { editDevice } from '#contract/device.ts';
import { readDeviceState } from '#contract/deviceState.ts';
import { ConfigFaults } from '#contract/moduleConfig.ts';
import { previewSchedule } from '#contract/moduleSchedule.ts';
import { checkModuleConfig, type SmartModule } from '#contract/smartModule.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aHome, inHome } from '#test/homes.ts';
import { aRun, createdModule } from '#test/moduleTypes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';
import type { ScheduleConfig } from './scheduleConfig.ts';
import { scheduleType } from './scheduleType.ts';

const at = aProjectWorld();
const yearly = { cron: '0 0 1 1 *', timeZone: 'Europe/Oslo' };
const command = { kind: 'command', name: 'light', args: { on: true } };

const aSchedule = (devices: object, action: object = command, when = yearly) =>
  createdModule(at, 'schedule', { ...when, devices, action });
const run = async (id: string, given: { runId?: string } = {}) =>
  scheduleType.run(await aRun<ScheduleConfig>(at, id, given), at.world.platform);
const commandsOf = (deviceId: string) => at.owner.client.call(listCommands, { params: { deviceId } });

it('a schedule sends a command only to the chosen devices, once even if the run is restarted', async () => {
  const { id: deviceClass } = await at.deviceClass();
  const [one, two, suspended] = [
    await at.device({ deviceClass }),
    await at.device({ deviceClass }),
    await at.device({ deviceClass }),
  ];
  const other = await at.device();
  await at.owner.client.call(editDevice, { params: { deviceId: suspended.id }, body: { suspended: true } });
  const { id } = await aSchedule({ by: 'class', deviceClass });
  const runId = at.world.platform.newId('run');
  expect(await run(id, { runId })).toMatchObject({ isOk: true, summary: 'Command light: 2 devices' });
  await run(id, { runId });
  for (const { id: deviceId } of [one, two])
    expect((await commandsOf(deviceId)).items).toMatchObject([
      { name: 'light', args: { on: true }, sentBy: { id } },
    ]);
  for (const { id: deviceId } of [suspended, other]) expect((await commandsOf(deviceId)).items).toEqual([]);
});

it('a schedule sets a desired state, raises an alert and sends an event, by tag, by id and by home', async () => {
  const tag = unique('green_house%');
  const device = await at.device({ tag: `${tag}-1` });
  await at.device({ tag: tag.replace('_', 'x') });
  const homeId = await aHome(at.world, at.projectId);
  await inHome(at.world, homeId, [device.id]);
  const desired = await aSchedule({ by: 'tag', tag }, { kind: 'desired', patch: { target: 21 } });
  expect(await run(desired.id)).toMatchObject({ isOk: true, summary: 'Desired state: 1 device' });
  const state = await at.owner.client.call(readDeviceState, { params: { deviceId: device.id } });
  expect(state.desired).toEqual({ target: 21 });
  const alert = await aSchedule({ by: 'ids', ids: [device.id] }, { kind: 'alert', text: 'Check it' });
  expect((await run(alert.id)).isOk).toBe(true);
  const event = await aSchedule(
    { by: 'home', homeId },
    { kind: 'event', name: 'reminder', payload: { n: 1 } },
  );
  expect((await run(event.id)).isOk).toBe(true);
  const { db } = at.world.platform;
  const found = await db.one<{ alerts: number; events: number }>(sql`
    select (select count(*)::int from alerts where device_id = ${device.id} and text = 'Check it') as alerts,
      (select count(*)::int from home_events where home_id = ${homeId} and name = 'reminder') as events`);
  expect(found).toEqual({ alerts: 1, events: 1 });
});

it('an action that does not fit one device fails for that device only', async () => {
  const { id: deviceClass } = await at.deviceClass();
  await at.world.platform.db.run(sql`
    update device_classes set state_schema = '{"properties": {"target": {"type": "string"}}}'
    where project_id = ${at.projectId} and id = ${deviceClass}`);
  const [fits, unfit] = [await at.device(), await at.device({ deviceClass })];
  const { id } = await aSchedule(
    { by: 'ids', ids: [fits.id, unfit.id] },
    { kind: 'desired', patch: { target: 21 } },
  );
  expect(await run(id)).toMatchObject({
    isOk: false,
    isFinal: true,
    summary: 'Desired state: 1 device; failed for 1',
    actions: [
      { isOk: true, summary: '1 device' },
      { isOk: false, summary: expect.stringContaining('schema') },
    ],
  });
});

it('a run that was missed while the server was down is made up for once, and the next is on time', async () => {
  const device = await at.device();
  const hourly = { cron: '0 * * * *', timeZone: 'Europe/Oslo' };
  const { id } = await aSchedule({ by: 'ids', ids: [device.id] }, command, hourly);
  const { db, clock } = at.world.platform;
  const begun = clock();
  const missed = new Date(begun.getTime() - 30 * hourMs);
  await db.run(
    sql`update smart_modules set due_at = ${missed} where project_id = ${at.projectId} and id = ${id}`,
  );
  await until(async () => (await commandsOf(device.id)).items.length > 0 || undefined);
  const row = await db.one<{ dueAt: Date; runs: number }>(sql`
    select due_at as "dueAt", (select count(*)::int from module_runs r
      where r.project_id = s.project_id and r.module_id = s.id) as runs
    from smart_modules s where project_id = ${at.projectId} and id = ${id}`);
  expect(row?.runs).toBe(1);
  expect(row?.dueAt.getTime()).toBeGreaterThan(begun.getTime());
});

it.each([
  ['/devices/deviceClass', { devices: { by: 'class', deviceClass: 'none' } }],
  ['/devices/homeId', { devices: { by: 'home', homeId: '999999999' } }],
  ['/devices/ids', { devices: { by: 'ids', ids: ['dev_none'] } }],
  ['/cron', { cron: '0 25 * * *' }],
  ['/timeZone', { timeZone: 'Mars/Olympus' }],
])('an invalid %s is refused at that field', async (pointer, given) => {
  const config = { ...yearly, devices: { by: 'tag', tag: 'a' }, action: command, ...given };
  const error = await failing(createdModule(at, 'schedule', config), 'INVALID_MODULE_CONFIG');
  expect(ConfigFaults.parse(error.context).faults.map(fault => fault.pointer)).toEqual([pointer]);
});

it('the form shows for how many devices a schedule applies, and when', async () => {
  const tag = unique('count');
  await at.device({ tag });
  const configData = { ...yearly, devices: { by: 'tag', tag }, action: command } as SmartModule['configData'];
  const params = { projectId: at.projectId };
  const body = { moduleType: 'schedule' as const, configData };
  const { notes } = await at.owner.client.call(checkModuleConfig, { params, body });
  expect(notes).toEqual(['Applies to 1 device now.']);
  const preview = await at.owner.client.call(previewSchedule, { params, body: yearly });
  expect(preview.next.map(({ local }) => local.slice(0, 10))).toHaveLength(5);
  expect(preview.next[0]?.local).toContain('00:00');
});
