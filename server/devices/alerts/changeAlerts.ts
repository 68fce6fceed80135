import type { AlertBy, AlertState } from '#contract/alert.ts';
import type { Actor } from '#server/api/logs/append.ts';
import type { ErasedUser } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { type AlertChange, addChanges } from './alertChanges.ts';
import { setStates } from './writeAlerts.ts';

/** An alert that is locked for a change. */
export interface LockedAlert {
  id: string;
  state: AlertState;
  /** False: another alert has replaced it, and further reports count towards that one. */
  isCurrent: boolean;
  text: string;
}

/** Locks in id order, to avoid deadlocks between callers that change the same alerts. */
export function lockAlerts(db: Db, projectId: string, ids: readonly string[]): Promise<LockedAlert[]> {
  return db.many(sql`
    select id, state, is_current as "isCurrent", text from alerts
    where project_id = ${projectId} and id = any(${ids}) order by id for no key update`);
}

/** The state that alerts are to have, and who wants it. */
export interface StateRequest {
  state: AlertState;
  note: string;
  by: AlertBy;
  now: Date;
  /** Alerts in another state are left unchanged. */
  from?: AlertState | undefined;
}

const whatOf = { open: 'reopened', acknowledged: 'acknowledged', resolved: 'resolved' } as const;

/** The caller, as alerts name it. */
export function byActor({ callerType, id, displayName }: Actor): AlertBy {
  const types = { projectKey: 'key', user: 'user' } as const;
  const type = callerType === 'projectKey' || callerType === 'user' ? types[callerType] : 'developer';
  return { type, id, name: displayName };
}

/**
 * Sets the state of locked alerts, and returns the ids of those it changed. Alerts that already have the state are left
 * unchanged, and so are those that cannot be reopened because another alert has replaced them.
 */
export async function changeAlerts(
  db: Db,
  projectId: string,
  alerts: readonly LockedAlert[],
  { state, note, by, now, from }: StateRequest,
): Promise<string[]> {
  const others = alerts.filter(
    alert =>
      alert.state !== state &&
      (from === undefined || alert.state === from) &&
      (state === 'resolved' || mayBe(alert)),
  );
  if (others.length === 0) return [];
  const changes = others.map(
    ({ id }): AlertChange => ({ projectId, alertId: id, what: whatOf[state], at: now, by, note }),
  );
  await setStates(db, changes);
  await addChanges(db, changes);
  return others.map(({ id }) => id);
}

/** Whether the alert may have any state other than resolved. */
export const mayBe = ({ state, isCurrent }: Pick<LockedAlert, 'state' | 'isCurrent'>) =>
  isCurrent || state !== 'resolved';

/** Removes an erased end user from all alerts. */
export async function forgetUserInAlerts(db: Db, { projectId, userId }: ErasedUser): Promise<void> {
  await db.run(sql`
    update alerts set state_by = state_by - 'name', state_note = ''
    where project_id = ${projectId} and state_by ->> 'type' = 'user' and state_by ->> 'id' = ${userId}`);
  await db.run(sql`
    update alert_changes set by = by - 'name', note = ''
    where project_id = ${projectId} and by ->> 'type' = 'user' and by ->> 'id' = ${userId}`);
}
