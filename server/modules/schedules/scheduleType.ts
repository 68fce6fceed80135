import type { ConfigFault } from '#contract/moduleConfig.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import {
  type Checking,
  type ModuleType,
  moduleType,
  type Outcome,
  type Testing,
} from '#server/modules/smartModules/moduleType.ts';
import { faultOf, nextTime } from './nextTimes.ts';
import { countText, nameOf, runSchedule, tooMany } from './runSchedule.ts';
import { type ChosenBy, type ScheduleConfig, scheduleConfig, scheduledDevicesMax } from './scheduleConfig.ts';
import { scheduledDevices } from './scheduledDevices.ts';

/** Carries out an action for devices at local times. */
export const scheduleType: ModuleType<ScheduleConfig> = moduleType({
  id: 'schedule',
  name: 'Schedule',
  summary: 'Sends a command, sets the desired state or raises an alert at set times.',
  dataSourceModuleTypes: [],
  takesEvents: false,
  isDataSource: false,
  config: scheduleConfig,
  attemptsAfterS: [0, 10, 60, 300],
  check: checkSchedule,
  dueAfter: (config, after) => nextTime(config, after),
  // When a test is repeated, it is only tested again.
  run: (run, platform) =>
    run.isTest
      ? testSchedule({ runId: run.runId, module: run.module, act: false, now: run.now }, platform)
      : runSchedule(run, platform),
  test: testSchedule,
});

async function checkSchedule(config: ScheduleConfig, { db, projectId }: Checking) {
  const fault = faultOf(config);
  const faults: ConfigFault[] = fault ? [{ pointer: `/${fault.field}`, message: fault.message }] : [];
  faults.push(...(await missing(db, projectId, config.devices)));
  const devices = await scheduledDevices(db, projectId, config.devices);
  if (devices.length > scheduledDevicesMax) faults.push({ pointer: '/devices', message: `${tooMany}.` });
  return { faults, notes: [`Applies to ${countText(devices.length)} now.`] };
}

/** The references of a schedule that do not exist. A tag may refer to future devices, so it is never an error. */
async function missing(db: Db, projectId: string, by: ChosenBy): Promise<ConfigFault[]> {
  const deviceClass = 'deviceClass' in by ? by.deviceClass : '';
  const { hasClass, hasHome, devices } = (await db.one<{
    hasClass: boolean;
    hasHome: boolean;
    devices: number;
  }>(sql`
    select exists (select from device_classes where project_id = ${projectId} and id = ${deviceClass}) as "hasClass",
      exists (select from homes where project_id = ${projectId} and id = ${by.by === 'home' ? by.homeId : 0}) as "hasHome",
      (select count(*)::int from devices where project_id = ${projectId}
        and id = any(${by.by === 'ids' ? by.ids : []})) as devices`)) ?? {
    hasClass: false,
    hasHome: false,
    devices: 0,
  };
  const faults: ConfigFault[] = [];
  if (deviceClass !== '' && !hasClass)
    faults.push({ pointer: '/devices/deviceClass', message: 'This device class does not exist.' });
  if (by.by === 'home' && !hasHome)
    faults.push({ pointer: '/devices/homeId', message: 'This home does not exist.' });
  if (by.by === 'ids' && devices < new Set(by.ids).size)
    faults.push({ pointer: '/devices/ids', message: 'One of these devices does not exist.' });
  return faults;
}

/** Without `act`, only returns what the schedule would do. */
async function testSchedule(
  { runId, module, act, now }: Testing<ScheduleConfig>,
  platform: Platform,
): Promise<Outcome> {
  if (act) return runSchedule({ module, runId, causedBy: [], now }, platform);
  const devices = await scheduledDevices(platform.db, module.projectId, module.config.devices);
  const name = nameOf(module.config.action);
  const isOk = devices.length <= scheduledDevicesMax;
  const summary = isOk ? `${name}: would be done for ${countText(devices.length)}` : tooMany;
  return { isOk, summary, actions: [{ action: name, isOk, summary }] };
}
