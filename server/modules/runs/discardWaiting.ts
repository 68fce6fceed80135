import { type Db, sql } from '#server/infra/db/sql.ts';
import { countRuns, runCounts } from './countRuns.ts';

/** Discards the waiting runs of a suspended module: it does not make up for them later. */
export async function discardWaiting(db: Db, projectId: string, moduleId: string, now: Date): Promise<void> {
  const by = await db.run(sql`
    update module_runs set state = 'dropped', summary = 'Discarded when the module was suspended', next_at = null,
      last_at = ${now}
    where project_id = ${projectId} and module_id = ${moduleId} and state = 'waiting'`);
  await countRuns(db, runCounts([{ projectId, moduleId, state: 'dropped', by }]), now);
}
