import type { LogVerification } from '#contract/log.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { noHash, sealOf } from './hash.ts';
import { keptFrom } from './partitions.ts';
import { type EntryRow, entryColumns, entryNamed, type Place } from './store.ts';

const sealsAtOnce = 1_000;
const entriesAtOnce = 5_000;
/**
 * Entries are sealed in commit order, so around the end of a month some entries of the previous month are sealed late.
 */
const lateMs = 86_400_000;

type Fault = NonNullable<LogVerification['fault']>;

interface SealedRow {
  seq: string;
  entryId: string;
  entryTs: Date;
  hash: Buffer;
  /** Null: the entry does not exist. */
  entry: EntryRow | null;
}

/**
 * Verifies the chain of a log: every sealed entry exists unchanged and in order, and no entry was inserted
 * without a seal. Reads in bounded batches.
 */
export async function verifyLog(
  db: Db,
  projectId: string,
  now: Date,
  head?: string,
): Promise<LogVerification> {
  const from = keptFrom('audit', now);
  const chain = new Chain(projectId, from, head);
  let waiting = await checkSeals(db, projectId, chain);
  const fault = chain.fault ?? (await findForeign(db, projectId, from));
  // Entries sealed meanwhile are verified too, so that the result describes a single moment.
  if (!fault) waiting = await checkSeals(db, projectId, chain);
  const found = fault ?? chain.fault ?? chain.missingHead();
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

/** Verifies one seal after the other. */
class Chain {
  readonly #projectId: string;
  readonly #keptFrom: Date;
  /** A hash that the chain must contain. */
  #head: string | undefined;
  #seq = 0;
  #hash: Buffer = noHash;
  #first: Date | undefined;
  #last: Date | undefined;
  #checked = 0;
  #started = false;
  fault: Fault | undefined;

  constructor(projectId: string, from: Date, head: string | undefined) {
    this.#projectId = projectId;
    this.#keptFrom = from;
    this.#head = head;
  }

  check(row: SealedRow): void {
    const text = this.#faultOf(row);
    if (text !== undefined) {
      this.fault = { entryId: row.entryId, at: row.entryTs.toISOString(), text };
      return;
    }
    this.#started = true;
    this.#seq = Number(row.seq);
    this.#hash = row.hash;
    if (this.#head === row.hash.toString('hex')) this.#head = undefined;
    if (row.entry !== null) this.#count(row.entryTs);
  }

  #faultOf({ seq, entryTs, hash, entry }: SealedRow): string | undefined {
    const isExpired = entry === null && this.#mayHaveExpired(entryTs);
    // If the oldest entries have expired, the chain starts with the seal of the last of them.
    const begins = !this.#started && isExpired;
    if (!begins && Number(seq) !== this.#seq + 1) return 'The seals before this entry were removed.';
    if (entry === null) return isExpired ? undefined : 'This entry was removed after it was sealed.';
    if (!sealOf(this.#hash, this.#projectId, entry).equals(hash))
      return 'This entry or its place in the chain was changed after it was sealed.';
    return undefined;
  }

  /**
   * Only seals older than the log may lack an entry, and only before one that is clearly younger: any later gap
   * is an error.
   */
  #mayHaveExpired(entryTs: Date): boolean {
    const seenTo = this.#last?.getTime() ?? 0;
    return entryTs < this.#keptFrom && seenTo < this.#keptFrom.getTime() + lateMs;
  }

  #count(ts: Date): void {
    this.#checked += 1;
    if (!this.#first || ts < this.#first) this.#first = ts;
    if (!this.#last || ts > this.#last) this.#last = ts;
  }

  /** The number of the last verified seal. */
  get end(): number {
    return this.#seq;
  }

  missingHead(): Fault | undefined {
    return this.#head === undefined ? undefined : { text: 'The chain does not contain the given hash.' };
  }

  result() {
    return {
      entriesChecked: this.#checked,
      ...(this.#first && { firstEntryAt: this.#first.toISOString() }),
      ...(this.#last && { lastEntryAt: this.#last.toISOString() }),
      ...(this.#started && { headHash: this.#hash.toString('hex') }),
    };
  }
}

async function sealsAfter(db: Db, projectId: string, seq: number): Promise<SealedRow[]> {
  const rows = await db.many<EntryRow & Omit<SealedRow, 'entry'>>(sql`
    select s.seq, s.entry_id as "entryId", s.entry_ts as "entryTs", s.hash, ${entryColumns}
    from (
      select * from audit_seals where project_id = ${projectId} and seq > ${seq}
      order by seq limit ${sealsAtOnce}) s
    left join ${entryNamed(sql`s.project_id`, sql`s.entry_ts`, sql`s.entry_id`)} on true
    order by s.seq`);
  return rows.map(({ seq, entryId, entryTs, hash, ...entry }) => {
    const isThere = (entry.id as string | null) !== null;
    return { seq, entryId, entryTs, hash, entry: isThere ? entry : null };
  });
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
