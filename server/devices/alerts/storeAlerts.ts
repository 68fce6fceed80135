import type { AlertState } from '#contract/alert.ts';
import { overflowKey, reopenWithinMinutes, unresolvedMax } from '#rules/devices/alertLimits.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type AlertChange, addChanges } from './alertChanges.ts';
import { lastChangeOf } from './alertCourse.ts';
import { type AlertBatch, type AlertReport, batchesOf, byOf, placeOf } from './alertReports.ts';
import { countReports, insertAlerts, type NewAlert, retireAlerts, setStates } from './writeAlerts.ts';

const reopenWithinMs = reopenWithinMinutes * minuteMs;

interface Current {
  id: string;
  projectId: string;
  deviceId: string;
  moduleId: string;
  key: string;
  state: AlertState;
  severity: AlertBatch['severity'];
  stateAt: Date | null;
  /** True: it belongs to the previous owner of the device. */
  isOfOthers: boolean;
}

export interface StoredAlert extends AlertBatch {
  id: string;
  /** False: the alert existed, and counts one more report. */
  isNew: boolean;
}

/**
 * Stores reports of alerts, in the caller's transaction. A report of an unresolved alert increases its count, so that a
 * device that repeats a report a thousand times has one alert. Reports of devices that do not exist are dropped.
 */
export async function storeAlerts(
  db: Db,
  { newId }: Pick<Platform, 'newId'>,
  reports: readonly AlertReport[],
): Promise<StoredAlert[]> {
  if (reports.length === 0) return [];
  const batches = await withRoom(db, batchesOf(reports));
  const there = new Map((await lockCurrent(db, batches)).map(one => [placeOf(one), one]));
  const kept = batches.flatMap((batch): (StoredAlert & { was: Current | undefined })[] => {
    const found = there.get(placeOf(batch));
    const was = found && (batch.count === 0 || isOneWith(found, batch)) ? found : undefined;
    if (batch.count === 0 && (!was || was.state === 'resolved')) return [];
    return [{ ...batch, was, id: was?.id ?? newId('alr', batch.firstAt), isNew: was === undefined }];
  });
  const outdated = kept.flatMap(({ isNew, ...batch }) => (isNew ? (there.get(placeOf(batch)) ?? []) : []));
  if (outdated.length > 0) await retireAlerts(db, outdated);
  const ids = await insertAlerts(db, kept.filter(({ isNew }) => isNew) as NewAlert[]);
  const stored = kept.flatMap(one => {
    if (!one.isNew) return [one];
    const found = ids.get(placeOf(one));
    return found ? [{ ...one, ...found }] : [];
  });
  await countReports(
    db,
    stored.filter(({ was, count }) => was !== undefined && count > 0),
  );
  await changeStates(db, stored);
  return stored;
}

/** If a device has too many different alerts, merges the ones beyond the limit into one. */
async function withRoom(db: Db, batches: AlertBatch[]): Promise<AlertBatch[]> {
  const unresolved = await db.many<{ projectId: string; deviceId: string; count: number }>(sql`
    select d.project_id as "projectId", d.id as "deviceId", n.count
    from (select distinct * from unnest(
      ${batches.map(({ projectId }) => projectId)}::text[], ${batches.map(({ deviceId }) => deviceId)}::text[]
    ) as d (project_id, id)) d
    cross join lateral (
      select count(*)::int as count from (
        select from alerts a
        where a.project_id = d.project_id and a.device_id = d.id and a.state <> 'resolved' limit ${unresolvedMax}) a) n`);
  const room = new Map(unresolved.map(({ deviceId, count }) => [deviceId, unresolvedMax - count]));
  // Alerts in this batch count as well, because each may be a new one.
  const wanted = new Map<string, number>();
  for (const { deviceId, count } of batches)
    if (count > 0) wanted.set(deviceId, (wanted.get(deviceId) ?? 0) + 1);
  const crowded = [...wanted].filter(([id, count]) => count > (room.get(id) ?? 0)).map(([id]) => id);
  if (crowded.length === 0) return batches;
  const known = await lockCurrent(
    db,
    batches.filter(({ deviceId }) => crowded.includes(deviceId)),
  );
  const places = new Set(known.filter(({ state }) => state !== 'resolved').map(placeOf));
  const moved = batches.map(batch => {
    if (batch.count === 0 || !crowded.includes(batch.deviceId) || places.has(placeOf(batch))) return batch;
    const left = room.get(batch.deviceId) ?? 0;
    room.set(batch.deviceId, left - 1);
    return left > 0
      ? batch
      : { ...batch, key: overflowKey, steps: batch.steps.filter(({ resolved }) => !resolved) };
  });
  return merged(moved);
}

function merged(batches: readonly AlertBatch[]): AlertBatch[] {
  const byPlace = Map.groupBy(batches, batch => `${batch.projectId} ${placeOf(batch)}`);
  return [...byPlace.values()].flatMap(same => {
    const last = same.at(-1);
    if (!last) return [];
    const steps = same.flatMap(batch => batch.steps);
    return [{ ...last, steps, count: same.reduce((sum, { count }) => sum + count, 0) }];
  });
}

/** Locks the current alerts in the order of the batches. */
function lockCurrent(db: Db, batches: readonly AlertBatch[]): Promise<Current[]> {
  const column = (name: 'projectId' | 'deviceId' | 'moduleId' | 'key') => batches.map(batch => batch[name]);
  return db.many<Current>(sql`
    select a.id, a.project_id as "projectId", a.device_id as "deviceId", a.module_id as "moduleId", a.key, a.state,
      a.severity, a.state_at as "stateAt", coalesce(a.ts < d.owned_since, false) as "isOfOthers"
    from unnest(${column('projectId')}::text[], ${column('deviceId')}::text[], ${column('moduleId')}::text[],
      ${column('key')}::text[]) as k (project_id, device_id, module_id, key)
    join alerts a on a.project_id = k.project_id and a.device_id = k.device_id and a.module_id = k.module_id
      and a.key = k.key and a.is_current
    join devices d on d.project_id = a.project_id and d.id = a.device_id
    order by a.project_id, a.device_id, a.module_id, a.key for no key update of a`);
}

/** Whether a report counts towards this alert. The alerts of a previous owner never continue for the next one. */
function isOneWith({ state, stateAt, isOfOthers }: Current, { firstAt }: AlertBatch): boolean {
  if (isOfOthers) return false;
  return state !== 'resolved' || firstAt.getTime() - (stateAt?.getTime() ?? 0) <= reopenWithinMs;
}

/** Changes the states of alerts as their reports ask for, and records changes of state and severity. */
async function changeStates(
  db: Db,
  kept: readonly (StoredAlert & { was: Current | undefined })[],
): Promise<void> {
  const changes: AlertChange[] = [];
  for (const { was, steps, count, severity, ...one } of kept) {
    const of = { projectId: one.projectId, alertId: one.id, by: byOf(one), at: one.lastAt, note: '' };
    const change = lastChangeOf(was, steps);
    if (change) changes.push({ ...of, ...change });
    if (was && count > 0 && severity !== was.severity) changes.push({ ...of, what: 'severity', severity });
  }
  if (changes.length === 0) return;
  await setStates(db, changes);
  await addChanges(db, changes);
}
