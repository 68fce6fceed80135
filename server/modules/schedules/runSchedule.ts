import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { raise } from '#server/modules/actions/alertAction.ts';
import { command, desire, type Needs } from '#server/modules/actions/deviceActions.ts';
import { isRefusal, withCauses } from '#server/modules/actions/withCauses.ts';
import type { Outcome, Running } from '#server/modules/smartModules/moduleType.ts';
import { sendOne } from '#server/people/homeEvents/sendEvent.ts';
import { type ScheduleConfig, type ScheduledAction, scheduledDevicesMax } from './scheduleConfig.ts';
import { type ScheduledDevice, scheduledDevices } from './scheduledDevices.ts';

export type Scheduled = Pick<Running<ScheduleConfig>, 'runId' | 'module' | 'causedBy' | 'now'> & {
  signal?: AbortSignal;
};

/** Devices handled concurrently: a thousand devices must not take all database connections. */
const lanes = 4;
const final = (summary: string): Outcome => ({ isOk: false, isFinal: true, summary });

/** Carries out a schedule's action once for each of its devices, even if the run is restarted. */
export async function runSchedule(run: Scheduled, platform: Platform): Promise<Outcome> {
  const { module, signal } = run;
  const { action, devices: by } = module.config;
  const devices = await scheduledDevices(platform.db, module.projectId, by);
  if (devices.length > scheduledDevicesMax) return final(tooMany);
  if (devices.length === 0) return { isOk: true, summary: 'No devices match' };
  const left = await notDone(platform.db, run, devices);
  const failures: unknown[] = [];
  let next = 0;
  const lane = async () => {
    for (let device = left[next++]; device && !signal?.aborted; device = left[next++])
      await actOn(device, run, platform).catch(error => failures.push(error));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (signal?.aborted) return { isOk: false, summary: 'Interrupted; the rest is done with the next attempt' };
  const name = nameOf(action);
  const done = devices.length - failures.length;
  const reasons = [...Map.groupBy(failures.map(reasonOf), reason => reason)];
  return {
    isOk: failures.length === 0,
    summary: `${name}: ${countText(done)}${failures.length > 0 ? `; failed for ${failures.length.toLocaleString('en')}` : ''}`,
    actions: [
      ...(done > 0 ? [{ action: name, isOk: true, summary: countText(done) }] : []),
      ...reasons.map(([reason, all]) => ({
        action: name,
        isOk: false,
        summary: `${countText(all.length)}: ${reason}`,
      })),
    ],
    ...(failures.length > 0 && failures.every(isRefusal) && { isFinal: true }),
  };
}

export const tooMany = `This matches more than ${scheduledDevicesMax.toLocaleString('en')} devices. Choose fewer, or use several schedules`;
export const countText = (count: number) =>
  count === 1 ? '1 device' : `${count.toLocaleString('en')} devices`;

async function notDone(
  db: Db,
  { module, runId }: Scheduled,
  devices: readonly ScheduledDevice[],
): Promise<ScheduledDevice[]> {
  const rows = await db.many<{ id: string }>(sql`
    select device_id as id from schedule_acts where project_id = ${module.projectId} and run_id = ${runId}`);
  const done = new Set(rows.map(({ id }) => id));
  return devices.filter(({ id }) => !done.has(id));
}

async function actOn(device: ScheduledDevice, run: Scheduled, platform: Platform): Promise<void> {
  const { module, runId, now } = run;
  await withCauses(platform, run, async (db, needs) => {
    const isFirst = await db.run(sql`
      insert into schedule_acts (project_id, module_id, run_id, device_id, at)
      values (${module.projectId}, ${module.id}, ${runId}, ${device.id}, ${now}) on conflict do nothing`);
    if (isFirst > 0) await carryOut(db, module.config.action, { ...run, device }, needs);
  });
}

async function carryOut(
  db: Db,
  action: ScheduledAction,
  on: Scheduled & { device: ScheduledDevice },
  needs: Needs,
): Promise<void> {
  const { projectId } = on.module;
  switch (action.kind) {
    case 'command':
      await command(db, action, on, needs);
      return;
    case 'desired':
      await desire(db, action, on, needs);
      return;
    case 'alert':
      await raise(db, { ...action, key: '', resolves: false }, on, needs);
      return;
    case 'event': {
      const { name, payload } = action;
      const body = { deviceId: on.device.id, name, payload };
      await sendOne({ db, platform: needs.platform, now: on.now, params: { projectId }, body });
    }
  }
}

export function nameOf(action: ScheduledAction): string {
  switch (action.kind) {
    case 'command':
      return `Command ${action.name}`;
    case 'desired':
      return 'Desired state';
    case 'alert':
      return 'Alert';
    case 'event':
      return `Event ${action.name}`;
  }
}

const reasonOf = (error: unknown) => (error instanceof Problem ? error.message : 'It could not be done.');
