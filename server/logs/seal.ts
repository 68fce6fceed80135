import { type Database, type Db, sql } from '#server/db/sql.ts';
import { blockSize } from './blocks.ts';
import { noHash, sealOf } from './hash.ts';
import { type EntryRow, entryColumns, entryNamed } from './store.ts';

// Why nothing is missed: the note of an entry in `audit_unsealed` becomes visible with the entry, at its commit, and is
// taken away by the transaction that writes the seal. Neither times nor ids nor transaction numbers are relied on,
// which all go by when a transaction began rather than by when it was kept, and do not survive a restore. The order of
// a chain is therefore the order in which entries were seen to be kept; within a batch it is by time.

/** Any number that nobody else takes for an advisory lock. */
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
  /** True: another process is at it, and may have looked before the last entry was kept. */
  busy: boolean;
  /** True: the batch was full. */
  more: boolean;
  /** Whose chains have filled a block since: most batches fill none, and looking costs a query a project. */
  filled: string[];
}

/** Seals what waits, a batch at a time, all or nothing: a killed sealer leaves its batch to the next. */
export function sealBatch(db: Database): Promise<Sealed> {
  return db.tx(async tx => {
    // One at a time: two would continue a chain from the same end.
    const lock = await tx.one<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${lockKey}) as mine`);
    if (!lock?.mine) return { busy: true, more: false, filled: [] };
    // Or a long backlog would be read from its middle, and old entries be sealed next to new ones.
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
 * Of a project that is being deleted the note may have outlived its entry: it goes all the same. So does a second note
 * of one entry, for which no seal could be written and the sealer would stand still.
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
