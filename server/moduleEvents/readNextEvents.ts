import { settledFrom } from '#server/db/settled.ts';
import { type Db, join, type Sql, sql } from '#server/db/sql.ts';
import { type EventSource, eventSources, type StoredEvent } from './eventSources.ts';

/**
 * How far a reader is: it has the rows of all transactions before `tx`, and of that one those up to the number `seq`.
 * Numbers alone would skip rows, since one is taken before its row can be seen.
 */
export interface EventCursor {
  tx: string;
  seq: string;
}

/** What is stored of the events that are read at once; at least one is read, however large it is. */
const bytesMax = 8 * 1024 * 1024;

interface Asked {
  cursor: EventCursor;
  /** Earlier rows are left out: they came with a backup, or nobody waits for them any more. */
  since: Date;
  projectIds: readonly string[];
  max: number;
  /** Something else to be read in the same snapshot. */
  beside?: Sql;
}

interface Read {
  events: StoredEvent[];
  /** After the last of them; with none left, up to where everything can be seen. */
  cursor: EventCursor;
  beside: string | null;
}

type Row = StoredEvent & { upTo: string; beside: string | null; read: number };

/**
 * The next events of these projects, in the order of their transactions: only of those before which none runs any more,
 * so that a row of one that commits late is never passed by.
 */
export async function readNextEvents(db: Db, asked: Asked): Promise<Read> {
  const rows = await db.many<
    Row | (Record<keyof StoredEvent, null> & Pick<Row, 'upTo' | 'beside' | 'read'>)
  >(sql`
    with bound as materialized (
      select ${settledFrom(sql`${asked.cursor.tx}::text::xid8`)} as tx, ${asked.beside ?? sql`null::text`} as beside)
    select b.tx::text as "upTo", b.beside, e.id, e."projectId", e."deviceId", e.ts, e.name, e.payload, e."causedBy",
      e.tx::text, e.seq::text, e.read
    from bound b left join lateral (
      select *, count(*) over ()::int as read,
        sum(pg_column_size(payload)) over (order by tx, seq) - pg_column_size(payload) as before
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
    cursor: isAll ? { tx: rows[0]?.upTo ?? asked.cursor.tx, seq: '0' } : { tx: last.tx, seq: last.seq },
    beside: rows[0]?.beside ?? null,
  };
}

/** By the index on `tx`: the project is written so that none of its own is taken, which would read all of its events. */
function partOf({ from, columns, ts }: EventSource, { cursor, since, projectIds, max }: Asked): Sql {
  return sql`(
    select ${columns} from ${from}
    where t.tx >= ${cursor.tx}::text::xid8 and t.tx < b.tx and (t.tx > ${cursor.tx}::text::xid8 or t.seq > ${cursor.seq}::bigint)
      and ${ts} >= ${since} and t.project_id || '' = any(${projectIds}::text[])
    order by t.tx, t.seq limit ${max})`;
}
