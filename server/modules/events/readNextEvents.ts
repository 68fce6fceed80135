import { packetBytesMax } from '#rules/devices/gatewayLimits.ts';
import { settledFrom } from '#server/infra/db/settled.ts';
import { type Db, empty, join, type Sql, sql } from '#server/infra/db/sql.ts';
import { type EventSource, eventSources, type StoredEvent } from './eventSources.ts';

/**
 * How far a reader has read: all rows of transactions before `tx`, and those of `tx` itself up to the number `seq`.
 * Numbers alone would skip rows, because a number is assigned before its row becomes visible.
 */
export interface EventCursor {
  tx: string;
  seq: string;
}

/** Limit for the size of the events read at once; at least one event is read, however large it is. */
const bytesMax = 8 * 1024 * 1024;

/**
 * At most the size of a payload as text, without reading it: PostgreSQL stores a long one compressed, by up to this factor,
 * and no message is larger than a packet.
 */
const sizeOf = sql`(case when pg_column_compression(payload) is null then pg_column_size(payload)
  else least(${packetBytesMax}, 100 * pg_column_size(payload)) end)`;

/** True if a reader at `one` has read less than one at `other`. */
export function isBefore(one: EventCursor, other: EventCursor): boolean {
  const [tx, otherTx] = [BigInt(one.tx), BigInt(other.tx)];
  return tx < otherTx || (tx === otherTx && BigInt(one.seq) < BigInt(other.seq));
}

interface Asked {
  cursor: EventCursor;
  /** Earlier rows are skipped: they come from a restored backup, or are too old to matter. */
  since: Date;
  projectIds: readonly string[];
  max: number;
  /** To read no further than another reader has. */
  upTo?: EventCursor;
  /** An expression to be read in the same snapshot. */
  beside?: Sql;
}

interface Read {
  events: StoredEvent[];
  /** After the last event; if there are no more, at the end of everything visible. */
  cursor: EventCursor;
  beside: string | null;
}

type Row = StoredEvent & { upTo: string; beside: string | null; read: number };

/**
 * Returns the next events of these projects, in the order of their transactions. Reads only transactions before which
 * none is still running, so that a row of a transaction that commits late is not skipped.
 */
export async function readNextEvents(db: Db, asked: Asked): Promise<Read> {
  const rows = await db.many<
    Row | (Record<keyof StoredEvent, null> & Pick<Row, 'upTo' | 'beside' | 'read'>)
  >(sql`
    with bound as materialized (
      select ${boundOf(asked)} as tx, ${asked.beside ?? sql`null::text`} as beside)
    select b.tx::text as "upTo", b.beside, e.id, e."projectId", e."deviceId", e.ts, e.name, e.payload, e."causedBy",
      e.tx::text, e.seq::text, e.read
    from bound b left join lateral (
      select *, count(*) over ()::int as read,
        sum(${sizeOf}) over (order by tx, seq) - ${sizeOf} as before
      from (${join(
        eventSources.map(source => partOf(source, asked)),
        ' union all ',
      )} order by tx, seq limit ${asked.max}) next
    ) e on e.before < ${bytesMax}
    order by e.tx, e.seq`);
  const events = rows.filter((row): row is Row => row.id !== null);
  const last = events.at(-1);
  const isAll = !last || (events.length === last.read && last.read < asked.max);
  return {
    events: events.map(({ upTo: _, beside: __, read: ___, ...event }) => event),
    cursor: isAll
      ? (asked.upTo ?? { tx: rows[0]?.upTo ?? asked.cursor.tx, seq: '0' })
      : { tx: last.tx, seq: last.seq },
    beside: rows[0]?.beside ?? null,
  };
}

/** The transaction before which to read. What another reader has read is settled, as is the one in which it is. */
const boundOf = ({ cursor, upTo }: Asked): Sql =>
  upTo ? sql`${(BigInt(upTo.tx) + 1n).toString()}::text::xid8` : settledFrom(sql`${cursor.tx}::text::xid8`);

/**
 * Uses the index on `tx`: the condition on the project is written so that no index on it is used, which would read all
 * events of the project.
 */
function partOf({ from, columns, ts }: EventSource, { cursor, since, projectIds, max, upTo }: Asked): Sql {
  const last = upTo ? sql`and (t.tx < ${upTo.tx}::text::xid8 or t.seq <= ${upTo.seq}::bigint)` : empty;
  return sql`(
    select ${columns} from ${from}
    where t.tx >= ${cursor.tx}::text::xid8 and t.tx < b.tx and (t.tx > ${cursor.tx}::text::xid8 or t.seq > ${cursor.seq}::bigint) ${last}
      and ${ts} >= ${since} and t.project_id || '' = any(${projectIds}::text[])
    order by t.tx, t.seq limit ${max})`;
}
