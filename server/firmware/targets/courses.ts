import { type Outcome, recordOutcomes } from '#server/firmware/outcomes/recordOutcomes.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { advance, type Course, clockOf, type Said } from './advance.ts';

export interface CourseRow extends Course {
  projectId: string;
  deviceId: string;
  rolloutId: string | null;
}

export const courseColumns = sql`
  t.project_id as "projectId", t.device_id as "deviceId", t.rollout_id as "rolloutId", t.sequence,
  t.bundle_id as "bundleId", t.state, t.waits_for as "waitsFor", t.component, t.percent::float8 as percent, t.failure, t.code, t.error, t.attempts,
  t.backoffs, t.issue, t.retry_at as "retryAt"`;

/** The sequences of the targets of these devices. */
export async function sequencesOf(
  db: Db,
  devices: readonly { projectId: string; id: string }[],
): Promise<Map<string, number>> {
  const rows = await db.many<{ id: string; sequence: number }>(sql`
    select t.device_id as id, t.sequence
    from unnest(${devices.map(({ projectId }) => projectId)}::text[], ${devices.map(({ id }) => id)}::text[])
      as asked (project_id, id)
    join device_targets t on t.project_id = asked.project_id and t.device_id = asked.id`);
  return new Map(rows.map(({ id, sequence }) => [id, sequence]));
}

interface Report {
  projectId: string;
  deviceId: string;
  said: Said;
}

/**
 * Applies reports of devices to their targets in the given order, including several reports of one device. Returns the
 * devices whose course changed, some of which get their target again.
 */
export async function takeReports(db: Db, reports: readonly Report[], now: Date): Promise<string[]> {
  if (reports.length === 0) return [];
  const devices = [...new Map(reports.map(one => [one.deviceId, one])).values()];
  const rows = await db.many<CourseRow>(sql`
    select ${courseColumns}
    from unnest(${devices.map(one => one.projectId)}::text[], ${devices.map(one => one.deviceId)}::text[])
      as asked (project_id, device_id)
    join device_targets t on t.project_id = asked.project_id and t.device_id = asked.device_id
    order by t.device_id for no key update of t`);
  const before = new Map(rows.map(row => [row.deviceId, row]));
  const after = new Map<string, CourseRow>();
  for (const { deviceId, said } of reports) {
    const course = after.get(deviceId) ?? before.get(deviceId);
    const next = course && advance(course, said, Math.random());
    if (course && next) after.set(deviceId, { ...course, ...next });
  }
  const changed = [...after.values()].map(next => ({ before: before.get(next.deviceId) ?? next, next }));
  await saveCourses(db, changed, now);
  return changed.map(({ next }) => next.deviceId);
}

export interface Change {
  before: CourseRow;
  next: CourseRow;
}

/** Saves courses that are locked, and reports outcomes to rollouts. */
export async function saveCourses(db: Db, changes: readonly Change[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const column = <T>(of: (change: Change) => T) => changes.map(of);
  await db.run(sql`
    update device_targets t set state = c.state, waits_for = c.waits_for, component = c.component, percent = c.percent, failure = c.failure,
      code = c.code, error = c.error, attempts = c.attempts, backoffs = c.backoffs, issue = c.issue, retry_at = c.retry_at,
      state_at = case when t.state = c.state then t.state_at else ${now} end,
      offered_at = case when c.state = 'waiting' then t.offered_at else coalesce(t.offered_at, ${now}) end,
      connected_ms = case when c.is_clocked then t.connected_ms else 0 end,
      counted_at = case when c.is_clocked then t.counted_at else ${now} end
    from unnest(
      ${column(({ next }) => next.projectId)}::text[], ${column(({ next }) => next.deviceId)}::text[],
      ${column(({ next }) => next.state)}::text[], ${column(({ next }) => next.waitsFor)}::text[],
      ${column(({ next }) => next.component)}::text[],
      ${column(({ next }) => next.percent)}::real[], ${column(({ next }) => next.failure)}::text[],
      ${column(({ next }) => next.code)}::text[], ${column(({ next }) => next.error)}::text[],
      ${column(({ next }) => next.attempts)}::int[], ${column(({ next }) => next.backoffs)}::int[],
      ${column(({ next }) => next.issue)}::int[], ${column(({ next }) => next.retryAt)}::timestamptz[],
      ${column(({ before, next }) => clockOf(before.state) === clockOf(next.state))}::boolean[]
    ) as c (project_id, device_id, state, waits_for, component, percent, failure, code, error, attempts, backoffs, issue, retry_at,
      is_clocked)
    where t.project_id = c.project_id and t.device_id = c.device_id`);
  await recordOutcomes(
    db,
    changes.flatMap(change => outcomeOf(change, now) ?? []),
  );
}

/** The outcome for a rollout; undefined if it has not changed. */
function outcomeOf({ before, next }: Change, at: Date): Outcome | undefined {
  const { projectId, deviceId, rolloutId, failure, code, error } = next;
  const [was, is] = [settledAs(before), settledAs(next)];
  if (rolloutId === null || (was === is && before.code === code)) return undefined;
  return {
    projectId,
    deviceId,
    rolloutId,
    outcome: is,
    at,
    ...(failure !== null && { failure }),
    ...(code !== null && { code }),
    ...(error !== null && { error }),
  };
}

/** A failure that is retried soon is not an outcome. */
function settledAs({ state, failure, retryAt }: Course): Outcome['outcome'] {
  if (state === 'done') return 'updated';
  if (state === 'declined') return 'declined';
  if (state !== 'failed' && state !== 'lost') return null;
  if (failure === 'unable') return 'unable';
  return retryAt === null ? 'failed' : null;
}

/** Locks the courses of devices in the order of their ids. `which` is a condition on `device_targets t`. */
export function lockCourses(db: Db, which: Sql, limit: number): Promise<CourseRow[]> {
  return db.many<CourseRow>(sql`
    select ${courseColumns} from device_targets t where ${which}
    order by t.device_id limit ${limit} for no key update of t skip locked`);
}
