import { parkAfter } from '#rules/modules/moduleLimits.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface OfModule {
  projectId: string;
  moduleId: string;
}

/** Repeats a run as if it were new; its previous attempts stay on record. */
export function doAgain(db: Db, { projectId, moduleId, id }: OfModule & { id: string }): Promise<number> {
  return db.run(sql`
    update module_runs set state = 'waiting', attempts = 0, next_at = null
    where project_id = ${projectId} and module_id = ${moduleId} and id = ${id}`);
}

/**
 * Makes all runs that failed since then wait again in their old positions, except tests, and makes waiting retries due
 * now.
 */
export async function doFailedAgain(
  db: Db,
  { projectId, moduleId, since }: OfModule & { since: Date },
): Promise<number> {
  const ofModule = sql`project_id = ${projectId} and module_id = ${moduleId}`;
  await db.run(sql`
    update module_runs set next_at = null where ${ofModule} and state = 'waiting' and next_at is not null`);
  return db.run(sql`
    update module_runs set state = 'waiting', attempts = 0, next_at = null
    where ${ofModule} and id in (
      select id from module_runs where ${ofModule} and state = 'failed' and not is_test and last_at >= ${since}
      order by seq limit ${parkAfter.waiting})`);
}

/** The number of runs that `doFailedAgain` would repeat. */
export async function countFailed(
  db: Db,
  { projectId, moduleId, since }: OfModule & { since: Date },
): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select from module_runs
      where project_id = ${projectId} and module_id = ${moduleId} and state = 'failed' and not is_test
        and last_at >= ${since}
      limit ${parkAfter.waiting}) failed`);
  return row?.count ?? 0;
}
