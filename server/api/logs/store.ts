import type { LogEntry } from '#contract/log.ts';
import { type Db, empty, join, type Sql, sql } from '#server/infra/db/sql.ts';
import { timeOfId } from '#server/infra/ids.ts';
import type { Actor, Stream } from './append.ts';
import { type Name, type Worded, withMarkers, withoutMarkers } from './entryNames.ts';

/** A stored entry. Its time has a precision of milliseconds, because every entry is written from a JS date. */
export interface EntryRow {
  id: string;
  ts: Date;
  level: LogEntry['level'];
  subject: string | null;
  actor: Actor;
  action: string;
  text: string;
  detail: Record<string, unknown> | null;
  /** Names in the entry that can be erased; null if it never had any. */
  names: Name[] | null;
}

/** Selects the entries from `begin` up to but excluding `end` that meet all given conditions. */
export interface Sought {
  projectId: string;
  stream: Stream;
  /** The device that the entries are about. */
  subject?: string | undefined;
  /** The app that was called. */
  app?: string | undefined;
  /** The proxy route that was used. */
  proxyRoute?: string | undefined;
  begin: Date;
  end: Date;
  actor?: string | undefined;
  action?: string | undefined;
  text?: string | undefined;
  /** Actors whose entries match even without the text: the log contains their ids, not their names. */
  named?: readonly string[] | undefined;
  level?: number | undefined;
}

/** A position in the order of a log, which is by time and then by id. */
export interface Place {
  ts: Date;
  id: string;
}

export const entryColumns = sql`e.id, e.ts, e.level, e.subject, e.actor, e.action, e.text, e.detail, e.names`;

/**
 * The entry that a row of another table refers to by `ts` and `id`, to be joined as `e`. The limit forces a lookup for
 * each row: if the planner could reorder the join, its cost would be quadratic while the planner lacks statistics.
 */
export const entryNamed = (projectId: Sql, ts: Sql, id: Sql): Sql => sql`
  lateral (
    select * from log_entries
    where project_id = ${projectId} and stream = 'audit' and ts = ${ts} and id = ${id} limit 1) as e`;

/** The entry as the API shows it. */
export function toEntry(row: EntryRow): LogEntry {
  return entryWith(row, row.names === null ? wordsOf(row) : withoutMarkers(wordsOf(row)));
}

/** The entry as it is sealed: the same whether or not names in it have been erased. */
export function toSealed(row: EntryRow): LogEntry {
  return entryWith(
    row,
    withMarkers(wordsOf(row), row.names ?? [], () => true),
  );
}

const wordsOf = ({ actor, text, detail }: EntryRow): Worded => ({ actor, text, ...(detail && { detail }) });

function entryWith({ id, ts, level, action }: EntryRow, { actor, text, detail }: Worded): LogEntry {
  return { id, ts: ts.toISOString(), level, actor, action, text, ...(detail && { detail }) };
}

/** The newest entries before a position, not older than `from`. */
export function entriesBefore(
  db: Db,
  sought: Sought,
  range: { from: Place; before: Place },
  limit: number,
): Promise<EntryRow[]> {
  return db.many<EntryRow>(sql`
    select ${entryColumns} from log_entries e where ${inRange(sought, range)} ${conditions(sought)}
    order by e.ts desc, e.id desc limit ${limit}`);
}

/** The oldest entries from a position on, oldest first. */
export function entriesFrom(
  db: Db,
  sought: Sought,
  range: { from: Place; before: Place },
  limit: number,
): Promise<EntryRow[]> {
  return db.many<EntryRow>(sql`
    select ${entryColumns} from log_entries e where ${inRange(sought, range)} ${conditions(sought)}
    order by e.ts, e.id limit ${limit}`);
}

/** The newest audit log entry after a time; the time limits the lookup to the newest partitions. */
export function newestEntry(
  db: Db,
  projectId: string,
  since: Date,
): Promise<{ id: string; ts: Date } | undefined> {
  return db.one<{ id: string; ts: Date }>(sql`
    select id, ts from log_entries where project_id = ${projectId} and stream = 'audit' and ts > ${since}
    order by ts desc, id desc limit 1`);
}

/** The position after `count` entries of any content; undefined if there are fewer. An index-only read. */
export function placeAfter(
  db: Db,
  sought: Sought,
  range: { from: Place; before: Place },
  count: number,
): Promise<Place | undefined> {
  return db.one<Place>(sql`
    select e.ts, e.id from log_entries e where ${inRange(sought, range)}
    order by e.ts desc, e.id desc offset ${count - 1} limit 1`);
}

/** Also compares the times alone, because partitions are chosen by these conditions only. */
export function inRange(
  { projectId, stream, subject, app, proxyRoute }: Sought,
  { from, before }: { from: Place; before: Place },
): Sql {
  const about = subject === undefined ? empty : sql`and e.subject = ${subject}`;
  const inApp = app === undefined ? empty : sql`and e.detail ->> 'app' = ${app}`;
  const through = proxyRoute === undefined ? empty : sql`and e.detail ->> 'route' = ${proxyRoute}`;
  return sql`e.project_id = ${projectId} and e.stream = ${stream} ${about} ${inApp} ${through}
    and e.ts >= ${from.ts} and e.ts <= ${before.ts}
    and (e.ts, e.id) >= (${from.ts}, ${from.id}) and (e.ts, e.id) < (${before.ts}, ${before.id})`;
}

export function conditions({ actor, action, text, named, level }: Sought): Sql {
  const all = [
    actor !== undefined && sql`and e.actor ->> 'id' = ${actor}`,
    action !== undefined && sql`and e.action = ${action}`,
    level !== undefined && sql`and e.level <= ${level}`,
    text !== undefined && textCondition(text, named),
  ].filter(condition => condition !== false);
  return all.length === 0 ? empty : join(all, ' ');
}

/** Changed values are stored as JSON, in which quotes and line breaks are escaped. */
function textCondition(text: string, named: readonly string[] = []): Sql {
  const inJson = JSON.stringify(text).slice(1, -1);
  return sql`and (lower(e.text) like lower(${pattern(text)}) or lower(e.detail::text) like lower(${pattern(inJson)})
    or e.actor ->> 'id' = any(${named}))`;
}

/** Escapes `%`, `_` and `\`, so that they are matched literally. */
function pattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The position of an entry: its id contains its time. Undefined if this is not the id of an entry. */
export function placeOf(id: string): Place | undefined {
  const ms = timeOfId('log', id);
  return ms === undefined ? undefined : { ts: new Date(ms), id };
}
