import { type Db, sql } from '#server/db/sql.ts';

/** A suspended module does nothing later of what it did not do before. Returns how many. */
export function discardWaiting(db: Db, projectId: string, moduleId: string, now: Date): Promise<number> {
  return db.run(sql`
    update module_runs set state = 'dropped', summary = 'Discarded when the module was suspended', next_at = null,
      last_at = ${now}
    where project_id = ${projectId} and module_id = ${moduleId} and state = 'waiting'`);
}
