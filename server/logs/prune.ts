import { type Db, sql } from '#server/db/sql.ts';
import { batch, type Chore } from '#server/jobs/housekeeping.ts';
import { keptFrom } from './partitions.ts';

/**
 * Deletes the seals of expired entries. The last of those seals is kept, because the first remaining
 * entry was sealed with it.
 */
export async function pruneSeals(db: Db, now: Date): Promise<void> {
  const from = keptFrom('audit', now);
  for (const projectId of await logsWithOldSeals(db, from)) {
    while (await pruneSome(db, projectId, from));
  }
}

/** Deletes the search blocks and names of expired entries. */
export const pruneChores: readonly Chore[] = [
  {
    name: 'search index blocks of logs',
    deletes: now => sql`
      delete from audit_blocks where (project_id, block) in (
        select project_id, block from audit_blocks where to_ts < ${keptFrom('audit', now)} limit ${batch}) returning 1`,
  },
  {
    name: 'names in log entries',
    deletes: now => sql`
      delete from log_people where (project_id, person, ts, entry_id) in (
        select project_id, person, ts, entry_id from log_people where ts < ${keptFrom('audit', now)} limit ${batch})
      returning 1`,
  },
];

/** Skips from log to log (loose index scan) and checks the oldest seal of each. */
async function logsWithOldSeals(db: Db, from: Date): Promise<string[]> {
  const rows = await db.many<{ projectId: string }>(sql`
    with recursive log as (
      (select project_id, entry_ts from audit_seals order by project_id, seq limit 1)
      union all
      select next.project_id, next.entry_ts
      from log cross join lateral (
        select project_id, entry_ts from audit_seals s
        where s.project_id > log.project_id order by project_id, seq limit 1) as next)
    select project_id as "projectId" from log where entry_ts < ${from}`);
  return rows.map(({ projectId }) => projectId);
}

/** Returns whether more seals may follow. */
async function pruneSome(db: Db, projectId: string, from: Date): Promise<boolean> {
  const seals = await db.many<{ seq: string; ts: Date }>(sql`
    select seq, entry_ts as ts from audit_seals where project_id = ${projectId} order by seq limit ${batch + 1}`);
  const firstKept = seals.findIndex(({ ts }) => ts >= from);
  const last = seals[(firstKept === -1 ? seals.length : firstKept) - 1];
  if (!last) return false;
  const removed = await db.run(
    sql`delete from audit_seals where project_id = ${projectId} and seq < ${last.seq}`,
  );
  return removed === batch;
}
