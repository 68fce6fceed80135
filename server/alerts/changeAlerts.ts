import type { AlertBy, AlertState } from '#contract/alert.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/logs/append.ts';
import { type AlertChange, addChanges } from './alertChanges.ts';
import { setStates } from './writeAlerts.ts';

/** An alert that is locked for a change. */
export interface LockedAlert {
  id: string;
  state: AlertState;
  /** False: another one took its place, and reports count towards that. */
  isCurrent: boolean;
  text: string;
}

/** In the order of their ids, so that two who change the same ones do not wait for each other in a circle. */
export function lockAlerts(db: Db, projectId: string, ids: readonly string[]): Promise<LockedAlert[]> {
  return db.many(sql`
    select id, state, is_current as "isCurrent", text from alerts
    where project_id = ${projectId} and id = any(${ids}) order by id for no key update`);
}

const whatOf = { open: 'reopened', acknowledged: 'acknowledged', resolved: 'resolved' } as const;

/** Who makes a call, as alerts name them. */
export function byActor({ callerType, id, displayName }: Actor): AlertBy {
  const types = { projectKey: 'key', user: 'user' } as const;
  const type = callerType === 'projectKey' || callerType === 'user' ? types[callerType] : 'developer';
  return { type, id, name: displayName };
}

/**
 * Gives locked alerts a state, and returns the ids of those it changed. Those that have it stay as they are, and so do
 * those that cannot be opened again, because another one took their place.
 */
export async function changeAlerts(
  db: Db,
  projectId: string,
  alerts: readonly LockedAlert[],
  { state, note, by, now }: { state: AlertState; note: string; by: AlertBy; now: Date },
): Promise<string[]> {
  const others = alerts.filter(alert => alert.state !== state && (state === 'resolved' || mayBe(alert)));
  if (others.length === 0) return [];
  const changes = others.map(
    ({ id }): AlertChange => ({ projectId, alertId: id, what: whatOf[state], at: now, by, note }),
  );
  await setStates(db, changes);
  await addChanges(db, changes);
  return others.map(({ id }) => id);
}

/** Whether it may be anything else than resolved. */
export const mayBe = ({ state, isCurrent }: Pick<LockedAlert, 'state' | 'isCurrent'>) =>
  isCurrent || state !== 'resolved';

/** An end user who is erased is named in no alert. */
export async function forgetUserInAlerts(db: Db, projectId: string, userId: string): Promise<void> {
  await db.run(sql`
    update alerts set state_by = state_by - 'name', state_note = ''
    where project_id = ${projectId} and state_by ->> 'type' = 'user' and state_by ->> 'id' = ${userId}`);
  await db.run(sql`
    update alert_changes set by = by - 'name', note = ''
    where project_id = ${projectId} and by ->> 'type' = 'user' and by ->> 'id' = ${userId}`);
}
