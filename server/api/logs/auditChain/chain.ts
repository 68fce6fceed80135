import type { LogVerification } from '#contract/log.ts';
import { type EntryRow, entryColumns, entryNamed } from '#server/api/logs/store.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { noHash, sealOf } from './hash.ts';
import { type Marker, mayBeAbsent } from './marker.ts';

export const sealsAtOnce = 1_000;

export type Fault = NonNullable<LogVerification['fault']>;

export interface SealedRow {
  seq: string;
  entryId: string;
  entryTs: Date;
  hash: Buffer;
  /** Null: the entry does not exist. */
  entry: EntryRow | null;
}

/** Verifies one seal after the other. */
export class Chain {
  readonly #projectId: string;
  readonly #marker: Marker | undefined;
  /** A hash that the chain must contain. */
  #head: string | undefined;
  #seq = 0;
  #hash: Buffer = noHash;
  #first: Date | undefined;
  #last: Date | undefined;
  #checked = 0;
  #started = false;
  fault: Fault | undefined;

  constructor(projectId: string, marker: Marker | 'forged' | undefined, head?: string) {
    this.#projectId = projectId;
    if (marker === 'forged') this.fault = { text: 'The record of which entries have expired was changed.' };
    else this.#marker = marker;
    this.#head = head;
  }

  /** Returns what is wrong with it, if anything; the seals after it tell nothing then. */
  check(row: SealedRow): Fault | undefined {
    const text = this.#faultOf(row);
    if (text !== undefined) {
      this.fault = { entryId: row.entryId, at: row.entryTs.toISOString(), text };
      return this.fault;
    }
    this.#started = true;
    this.#seq = Number(row.seq);
    this.#hash = row.hash;
    if (this.#head === row.hash.toString('hex')) this.#head = undefined;
    if (row.entry !== null) this.#count(row.entryTs);
    return undefined;
  }

  #faultOf({ seq, hash, entry }: SealedRow): string | undefined {
    const isExpired = entry === null && mayBeAbsent(this.#marker, Number(seq), hash);
    // If the oldest entries have expired, the chain starts with the seal of the last of them.
    const begins = !this.#started && isExpired;
    if (!begins && Number(seq) !== this.#seq + 1) return 'The seals before this entry were removed.';
    if (entry === null) return isExpired ? undefined : 'This entry was removed after it was sealed.';
    if (!sealOf(this.#hash, this.#projectId, entry).equals(hash))
      return 'This entry or its place in the chain was changed after it was sealed.';
    return undefined;
  }

  #count(ts: Date): void {
    this.#checked += 1;
    if (!this.#first || ts < this.#first) this.#first = ts;
    if (!this.#last || ts > this.#last) this.#last = ts;
  }

  /** The hash of the last verified seal, in hexadecimal. */
  get hash(): string {
    return this.#hash.toString('hex');
  }

  /** The number of the last verified seal. */
  get end(): number {
    return this.#seq;
  }

  /** What is missing at the end, which no later seal could tell. */
  missingEnd(): Fault | undefined {
    if (this.#seq < (this.#marker?.seq ?? 0)) return { text: 'The seals of this log were removed.' };
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

/** The next seals of a log, with their entries. */
export async function sealsAfter(db: Db, projectId: string, seq: number): Promise<SealedRow[]> {
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
