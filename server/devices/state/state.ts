import { type DeviceState, stateBytesMax, type writeDesired } from '#contract/deviceState.ts';
import { Problem } from '#contract/problem.ts';
import { mergePatch } from '#rules/json/mergePatch.ts';
import { stateDelta } from '#rules/state/stateDelta.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { refuseStale } from '#server/api/endpoints/ifMatch.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { publishLive } from '#server/api/http/live.ts';
import { checkChange } from '#server/classes/deviceClasses/checkChange.ts';
import { type Changer, publishChanges, storeChange } from '#server/devices/desiredChanges/storeChange.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';

type JsonObject = DeviceState['reported'];
/** A call that changes the desired state, from any API. */
type Changing = Pick<Call, 'db' | 'now' | 'platform' | 'ifMatch' | 'before' | 'afterCommit'>;

interface Target {
  id: string;
  projectId: string;
  deviceClass: string;
}

interface StateRow {
  reported: JsonObject;
  reportedAt: Date | null;
  reportedChanges: Record<string, string>;
  desired: JsonObject;
  desiredAt: Date | null;
  desiredVersion: number;
  installed: DeviceState['installed'] | null;
  installedAt: Date | null;
  progress: DeviceState['progress'] | null;
  progressAt: Date | null;
}

const columns = sql`
  reported, reported_at as "reportedAt", reported_changes as "reportedChanges", desired, desired_at as "desiredAt",
  desired_version as "desiredVersion", installed, installed_at as "installedAt", progress, progress_at as "progressAt"`;

/** The state of a device that never reported and has no desired state. */
const nothing: StateRow = {
  reported: {},
  reportedAt: null,
  reportedChanges: {},
  desired: {},
  desiredAt: null,
  desiredVersion: 0,
  installed: null,
  installedAt: null,
  progress: null,
  progressAt: null,
};

export async function stateOf(db: Db, projectId: string, deviceId: string): Promise<DeviceState> {
  return toState(await findState(db, projectId, deviceId));
}

/** The states of several devices, by device id. */
export async function statesOf(
  db: Db,
  projectId: string,
  deviceIds: readonly string[],
): Promise<(deviceId: string) => DeviceState> {
  const rows = await db.many<StateRow & { deviceId: string }>(sql`
    select device_id as "deviceId", ${columns} from device_states
    where project_id = ${projectId} and device_id = any(${[...deviceIds]})`);
  const byId = new Map(rows.map(({ deviceId, ...row }) => [deviceId, row]));
  return deviceId => toState(byId.get(deviceId) ?? nothing);
}

export function desire(call: Call<typeof writeDesired>): Promise<DeviceState> {
  return changeDesired(call, call.row, { by: byCall(call), desiredAfter: () => call.body.desired });
}

/** The caller, as the author of a change of the desired state. */
export function byCall(call: Parameters<typeof actorOf>[0] & Pick<Call, 'now' | 'from'>): Changer {
  const { callerType, id, displayName } = actorOf(call);
  return { setBy: { callerType, id, displayName }, call };
}

/**
 * Sets the desired state of a device, computed from the current one. Together with the reported state, it must match
 * the schema of the class.
 */
export async function changeDesired(
  call: Changing,
  { id, projectId, deviceClass }: Target,
  { by, desiredAfter }: { by: Changer; desiredAfter: (before: JsonObject) => JsonObject },
): Promise<DeviceState> {
  const { db, now, platform } = call;
  const row = await lockState(db, projectId, id);
  const desired = desiredAfter(row.desired);
  const text = JSON.stringify(desired);
  if (Buffer.byteLength(text) > stateBytesMax) throw new Problem('TOO_LARGE');
  const before = toState(row);
  refuseStale(call, before);
  call.before = { id, ...before };
  const schema = await stateSchemaOf(db, projectId, deviceClass);
  const change = { before: row.reported, patch: desired, after: mergePatch(row.reported, desired) };
  const faults = schema === null ? [] : checkChange(schema, change);
  if (faults.length > 0) throw new Problem('SCHEMA_BROKEN', { context: { faults } });
  await db.run(sql`
    insert into device_states as s (project_id, device_id, desired, desired_at, desired_version)
    values (${projectId}, ${id}, ${text}, ${now}, 1)
    on conflict (project_id, device_id) do update
      set desired = excluded.desired, desired_at = excluded.desired_at, desired_version = s.desired_version + 1`);
  const state = await stateOf(db, projectId, id);
  const version = state.desiredVersion;
  const changed = { projectId, id, version, reported: row.reported, before: row.desired, desired };
  const changes = await storeChange(db, changed, by, platform.clock());
  call.afterCommit(() => {
    notifyDevice(platform, id, { kind: 'desired' });
    publishLive(platform, projectId, { kind: 'device', deviceId: id, what: 'state', data: state });
    publishChanges(platform, projectId, changes);
  });
  return state;
}

async function findState(db: Db, projectId: string, deviceId: string): Promise<StateRow> {
  return (await db.one<StateRow>(ofDevice(projectId, deviceId))) ?? nothing;
}

/** A row that is not there cannot be locked: the first two changes at the same moment would both begin from nothing. */
async function lockState(db: Db, projectId: string, deviceId: string): Promise<StateRow> {
  const locked = sql`${ofDevice(projectId, deviceId)} for update`;
  const row = await db.one<StateRow>(locked);
  if (row) return row;
  await db.run(sql`
    insert into device_states (project_id, device_id)
    select project_id, id from devices where project_id = ${projectId} and id = ${deviceId} on conflict do nothing`);
  return (await db.one<StateRow>(locked)) ?? nothing;
}

const ofDevice = (projectId: string, deviceId: string): Sql => sql`
  select ${columns} from device_states where project_id = ${projectId} and device_id = ${deviceId}`;

async function stateSchemaOf(db: Db, projectId: string, deviceClass: string): Promise<unknown> {
  const row = await db.one<{ schema: unknown }>(sql`
    select state_schema as schema from device_classes where project_id = ${projectId} and id = ${deviceClass}`);
  return row?.schema ?? null;
}

function toState(row: StateRow): DeviceState {
  const { reported, reportedAt, reportedChanges, desired, desiredAt, desiredVersion } = row;
  const { installed, installedAt, progress, progressAt } = row;
  return {
    reported,
    ...(reportedAt && { reportedAt: reportedAt.toISOString() }),
    ...(Object.keys(reportedChanges).length > 0 && { reportedChanges }),
    desired,
    ...(desiredAt && { desiredAt: desiredAt.toISOString() }),
    desiredVersion,
    delta: stateDelta(reported, desired) as JsonObject,
    ...(installed !== null && { installed }),
    ...(installedAt && { installedAt: installedAt.toISOString() }),
    ...(progress !== null && { progress }),
    ...(progressAt && { progressAt: progressAt.toISOString() }),
    revision: desiredVersion,
  };
}
