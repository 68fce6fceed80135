import { type Db, sql } from '#server/db/sql.ts';
import { type CourseRow, lockCourses, saveCourses } from './courses.ts';

/** The target is handed out once more, as it is. */
export function againOf(course: CourseRow): CourseRow {
  const nothing = { component: null, percent: null, failure: null, code: null, error: null, retryAt: null };
  return { ...course, ...nothing, state: 'waiting', issue: course.issue + 1 };
}

/**
 * Has devices try again by hand what failed, was declined or lost, as if it had not been tried before. Returns those
 * that were in such a state; tell their gateways after the commit.
 */
export async function retryTargets(
  db: Db,
  { projectId, deviceIds }: { projectId: string; deviceIds: readonly string[] },
  now: Date,
): Promise<string[]> {
  const rows = await lockCourses(
    db,
    sql`t.project_id = ${projectId} and t.device_id = any(${deviceIds}) and t.bundle_id is not null
      and (t.state in ('failed', 'declined', 'lost') or t.retry_at is not null)`,
    deviceIds.length,
  );
  const changes = rows.map(before => ({ before, next: { ...againOf(before), attempts: 0, backoffs: 0 } }));
  await saveCourses(db, changes, now);
  return rows.map(({ deviceId }) => deviceId);
}
