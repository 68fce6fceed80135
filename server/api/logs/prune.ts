import { dropExpired, findExpired } from '#server/infra/db/maintainPartitions.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import type { Platform } from '#server/infra/platform.ts';
import { Chain, sealsAfter } from './auditChain/chain.ts';
import { type Marker, readMarker, writeMarker } from './auditChain/marker.ts';
import { keptFrom, logPartitions } from './partitions.ts';

type Needs = Pick<Platform, 'db' | 'sealing' | 'clock' | 'log'>;

/**
 * Drops the expired months of the audit log. Each log whose entries expire is marked before: afterwards, nothing would
 * tell an entry that has expired from one that somebody removed.
 */
export async function pruneAuditLogs(platform: Needs): Promise<void> {
  const { db, clock, log } = platform;
  const now = clock();
  const from = keptFrom('audit', now);
  if ((await findExpired(db, logPartitions.audit, now)).length === 0) return;
  for (const projectId of await logsWithOldSeals(db, from)) {
    const fault = await markExpired(platform, projectId, from);
    // They are removed all the same: how long entries are kept is a promise as well.
    if (fault) log('error', 'Entries of a damaged audit log expire', { project: projectId, fault });
  }
  await dropExpired(db, logPartitions.audit, now);
  for (const projectId of await logsWithOldSeals(db, from)) await pruneSeals(platform, projectId);
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

/**
 * Verifies the chain up to its last expired entry, and signs which entries those are. Returns what is wrong with the
 * chain, if anything; nothing is signed then.
 */
async function markExpired(
  { db, sealing }: Needs,
  projectId: string,
  from: Date,
): Promise<string | undefined> {
  const last = await db.one<{ seq: string | null }>(sql`
    select max(seq) as seq from audit_seals where project_id = ${projectId} and entry_ts < ${from}`);
  const chain = new Chain(projectId, await readMarker(db, sealing, projectId));
  if (chain.fault) return chain.fault.text;
  const lastSeq = Number(last?.seq ?? 0);
  let start: Pick<Marker, 'seq' | 'hash'> | undefined;
  const late: Record<string, string> = {};
  while (chain.end < lastSeq) {
    const rows = await sealsAfter(db, projectId, chain.end);
    for (const row of rows.filter(({ seq }) => Number(seq) <= lastSeq)) {
      const followsExpired = chain.end === 0 || start?.seq === chain.end;
      const fault = chain.check(row);
      if (fault) return fault.text;
      if (row.entryTs >= from) continue;
      if (followsExpired) start = { seq: chain.end, hash: chain.hash };
      else late[row.seq] = chain.hash;
    }
  }
  if (start) await writeMarker(db, sealing, projectId, { ...start, late });
  return undefined;
}

/** Deletes the seals before the marker's, with whose hash the first remaining entry was sealed. */
async function pruneSeals({ db, sealing }: Needs, projectId: string): Promise<void> {
  const marker = await readMarker(db, sealing, projectId);
  if (marker === undefined || marker === 'forged') return;
  for (let removed = batch; removed === batch; ) {
    removed = await db.run(sql`
      delete from audit_seals where project_id = ${projectId} and seq in (
        select seq from audit_seals where project_id = ${projectId} and seq < ${marker.seq} order by seq limit ${batch})`);
  }
}
