import { recordOutcomes } from '#server/firmware/outcomes/recordOutcomes.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { begin } from './advance.ts';
import { past } from './assignTargets.ts';
import type { CourseRow } from './courses.ts';

/** Delivers the target again, unchanged. */
export function againOf(course: CourseRow): CourseRow {
  return { ...begin(course, 'waiting'), issue: course.issue + 1 };
}

/** A device that confirmed its update, and now reports something else: it was flashed by hand. */
const isOverwritten = sql`t.state = 'done' and exists (
  select from devices d where d.project_id = t.project_id and d.id = t.device_id
    and d.bundle_installed is distinct from t.bundle_id)`;

/**
 * Manually retries updates that failed, were declined, were lost or overwritten, under a new sequence: a device never
 * retries a sequence that it gave up. The results they had in their rollouts are taken back. Returns the devices that had such
 * an update; notify their gateways after the commit.
 */
export async function retryTargets(
  db: Db,
  { projectId, deviceIds }: { projectId: string; deviceIds: readonly string[] },
  now: Date,
): Promise<string[]> {
  const rows = await db.many<{ deviceId: string; rolloutId: string | null }>(sql`
    with other as (
      select project_id, device_id, bundle_id from device_targets t
      where t.project_id = ${projectId} and t.device_id = any(${deviceIds}) and t.bundle_id is not null
        and (t.state in ('failed', 'declined', 'lost') or t.retry_at is not null or ${isOverwritten})
      order by t.device_id for no key update),
    ${past(now)}
    update device_targets t set sequence = t.sequence + 1, assigned_at = ${now}, offered_at = null, state = 'waiting',
      state_at = ${now}, connected_ms = 0, counted_at = null, component = null, percent = null, bytes = 0, delta_bytes = null, waits_for = null, consent = null,
      failure = null, code = null, error = null, attempts = 0, retry_at = null, backoffs = 0, issue = 1
    from other o where t.project_id = o.project_id and t.device_id = o.device_id
    returning t.device_id as "deviceId", t.rollout_id as "rolloutId"`);
  const again = rows.flatMap(({ deviceId, rolloutId }) =>
    rolloutId === null ? [] : [{ projectId, rolloutId, deviceId, outcome: null, at: now }],
  );
  await recordOutcomes(db, again);
  return rows.map(({ deviceId }) => deviceId);
}
