import { blockSize } from '#server/api/logs/blocks.ts';
import { type EntryRow, entryColumns, entryNamed } from '#server/api/logs/store.ts';
import { type Database, type Db, sql } from '#server/infra/db/sql.ts';
import { noHash, sealOf } from './hash.ts';

// Why no entry is missed: its row in `audit_unsealed` becomes visible with the entry at commit, and is
// deleted by the transaction that writes the seal. Timestamps, ids and transaction numbers are not used,
// because they reflect when a transaction began rather than when it committed, and do not survive a restore.
// A chain is therefore ordered by when entries were seen as committed; within a batch, by time.

/** An arbitrary key for an advisory lock. */
const lockKey = 7_264_002;
const batch = 1_000;

interface Unsealed extends EntryRow {
  projectId: string;
}

interface Seal {
  projectId: string;
  seq: number;
  entryId: string;
  entryTs: Date;
  hash: Buffer;
}

export interface Sealed {
  /** True: another process is sealing, and may have looked before the last entry was committed. */
  busy: boolean;
  /** True: the batch was full. */
  more: boolean;
  /**
   * The logs whose chains completed a block: most batches complete none, and checking costs a query per
   * project.
   */
  filled: string[];
}

/**
 * Seals waiting entries in batches, each in one transaction: if a sealer is killed, its batch is left to the next one.
 */
export function sealBatch(db: Database): Promise<Sealed> {
  return db.tx(async tx => {
    // Only one sealer at a time, because two would both continue the chain from the same head.
    const lock = await tx.one<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${lockKey}) as mine`);
    if (!lock?.mine) return { busy: true, more: false, filled: [] };
    // Oldest first, so that a backlog is sealed in order.
    await tx.run(sql`set local synchronize_seqscans = off`);
    const { entries, taken } = await takeUnsealed(tx);
    const projectIds = [...new Set(entries.map(entry => entry.projectId))];
    const ends = await endsOf(tx, projectIds);
    const seals = entries.map(entry => {
      const before = ends.get(entry.projectId);
      const seal: Seal = {
        projectId: entry.projectId,
        seq: (before?.seq ?? 0) + 1,
        entryId: entry.id,
        entryTs: entry.ts,
        hash: sealOf(before?.hash ?? noHash, entry.projectId, entry),
      };
      ends.set(entry.projectId, seal);
      return seal;
    });
    if (seals.length > 0) await insertSeals(tx, seals);
    const full = seals.filter(({ seq }) => seq % blockSize === 0);
    return {
      busy: false,
      more: taken === batch,
      filled: [...new Set(full.map(({ projectId }) => projectId))],
    };
  });
}

/**
 * The entry may be gone if its project was deleted; its queue row is deleted anyway. The same goes for a duplicate: a
 * second seal cannot be written for it, and the sealer would stall.
 */
async function takeUnsealed(tx: Db): Promise<{ entries: Unsealed[]; taken: number }> {
  const rows = await tx.many<(Unsealed | { id: null }) & { taken: number }>(sql`
    with taken as (
      delete from audit_unsealed where ctid = any (array(select ctid from audit_unsealed limit ${batch}))
      returning project_id, ts, id),
    fresh as (
      select distinct on (project_id, id) project_id, ts, id from taken t
      where (select true from audit_seals s where s.project_id = t.project_id and s.entry_id = t.id) is null)
    select all_of.taken, t.project_id as "projectId", ${entryColumns}
    from (select count(*)::int as taken from taken) all_of
    left join fresh t on true
    left join ${entryNamed(sql`t.project_id`, sql`t.ts`, sql`t.id`)} on true
    order by t.project_id, t.ts, t.id`);
  return { entries: rows.filter(row => row.id !== null), taken: rows[0]?.taken ?? 0 };
}

async function endsOf(tx: Db, projectIds: string[]): Promise<Map<string, { seq: number; hash: Buffer }>> {
  const rows = await tx.many<{ projectId: string; seq: string; hash: Buffer }>(sql`
    select p.id as "projectId", last.seq, last.hash
    from unnest(${projectIds}::text[]) as p (id)
    cross join lateral (
      select seq, hash from audit_seals where project_id = p.id order by seq desc limit 1) as last`);
  return new Map(rows.map(({ projectId, seq, hash }) => [projectId, { seq: Number(seq), hash }]));
}

async function insertSeals(tx: Db, seals: Seal[]): Promise<void> {
  await tx.run(sql`
    insert into audit_seals (project_id, seq, entry_id, entry_ts, hash)
    select * from unnest(
      ${seals.map(seal => seal.projectId)}::text[], ${seals.map(seal => seal.seq)}::bigint[],
      ${seals.map(seal => seal.entryId)}::text[], ${seals.map(seal => seal.entryTs)}::timestamptz[],
      ${seals.map(seal => seal.hash)}::bytea[])`);
}
