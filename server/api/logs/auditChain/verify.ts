import type { LogVerification } from '#contract/log.ts';
import { keptFrom } from '#server/api/logs/partitions.ts';
import type { Place } from '#server/api/logs/store.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Sealing } from '#server/infra/sealing.ts';
import { Chain, type Fault, sealsAfter, sealsAtOnce } from './chain.ts';
import { readMarker } from './marker.ts';

const entriesAtOnce = 5_000;

/**
 * Verifies the chain of a log: every sealed entry exists unchanged and in order, and no entry was inserted
 * without a seal. Reads in bounded batches.
 */
export async function verifyLog(
  { db, sealing }: { db: Db; sealing: Sealing },
  projectId: string,
  now: Date,
  head?: string,
): Promise<LogVerification> {
  const from = keptFrom('audit', now);
  const marker = await readMarker(db, sealing, projectId);
  const chain = new Chain(projectId, marker, head);
  let waiting = await checkSeals(db, projectId, chain);
  const fault = chain.fault ?? (await findForeign(db, projectId, from));
  // Entries sealed meanwhile are verified too, so that the result describes a single moment.
  if (!fault) waiting = await checkSeals(db, projectId, chain);
  const found = fault ?? chain.fault ?? chain.missingEnd();
  return {
    intact: found === undefined,
    ...chain.result(),
    entriesNotYetSealed: waiting,
    ...(found && { fault: found }),
  };
}

/** Continues to the end of the chain, and returns how many entries were unsealed at that moment. */
async function checkSeals(db: Db, projectId: string, chain: Chain): Promise<number> {
  for (;;) {
    const rows = await sealsAfter(db, projectId, chain.end);
    for (const row of rows) if (!chain.fault) chain.check(row);
    if (!chain.fault && rows.length === sealsAtOnce) continue;
    const left = await db.one<{ waiting: number; end: string | null }>(sql`
      select (select count(*)::int from audit_unsealed where project_id = ${projectId}) as waiting,
        (select max(seq) from audit_seals where project_id = ${projectId}) as "end"`);
    if (chain.fault || Number(left?.end ?? 0) <= chain.end) return left?.waiting ?? 0;
  }
}

/** The oldest entry that has no seal and does not wait for one. Both are read in the same snapshot. */
async function findForeign(db: Db, projectId: string, from: Date): Promise<Fault | undefined> {
  let last: Place = { ts: from, id: '' };
  for (;;) {
    const found = await db.one<Place & { foreignId: string | null; foreignTs: Date | null }>(sql`
      with part as materialized (
        select e.ts, e.id from log_entries e
        where e.project_id = ${projectId} and e.stream = 'audit' and e.ts >= ${last.ts}
          and (e.ts, e.id) > (${last.ts}, ${last.id})
        order by e.ts, e.id limit ${entriesAtOnce}),
      unknown as (
        select p.ts, p.id from part p
        where (select true from audit_seals s
            where s.project_id = ${projectId} and s.entry_id = p.id and s.entry_ts = p.ts) is null
          and p.id not in (select id from audit_unsealed where project_id = ${projectId})
        order by p.ts, p.id limit 1)
      select p.ts, p.id, u.id as "foreignId", u.ts as "foreignTs"
      from (select ts, id from part order by ts desc, id desc limit 1) p left join unknown u on true`);
    if (!found) return undefined;
    if (found.foreignId !== null && found.foreignTs !== null) {
      const text = 'This entry was inserted: it was not written by the platform.';
      return { entryId: found.foreignId, at: found.foreignTs.toISOString(), text };
    }
    last = found;
  }
}
