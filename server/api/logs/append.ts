import type { LogEntry } from '#contract/log.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Person, plain, salted } from './entryNames.ts';

export type Actor = LogEntry['actor'];

export type Stream = 'audit' | 'system' | 'http';

export interface NewEntry {
  /** Set if an append may be retried: the retry then has no effect. Created at `ts`, see `placeOf`. */
  id?: string;
  projectId: string;
  stream: Stream;
  ts: Date;
  /** 0 ERROR, 1 WARN, 2 INFO, 3 DEBUG */
  level: LogEntry['level'];
  subject?: string | undefined;
  actor: Actor;
  action: string;
  text: string;
  detail?: Record<string, unknown>;
  /** End users named in the entry, other than its actor: their names can be erased from it. */
  people?: readonly Person[];
}

/** Runs the query at once or when the transaction is committed. */
interface Runs {
  run(query: Sql): Promise<unknown>;
}

/**
 * Appends in the caller's transaction, so that a change and its entry are stored together or not at all.
 * Returns the entry as the log shows it.
 */
export async function appendEntry(
  db: Runs,
  { newId }: Pick<Platform, 'newId'>,
  entry: NewEntry,
): Promise<LogEntry> {
  const id = newId('log', entry.ts);
  await appendEntries(db, { newId }, [{ ...entry, id }]);
  const { ts, level, actor, action, text, detail } = entry;
  return { id, ts: ts.toISOString(), level, actor, action, text, ...(detail && { detail }) };
}

/**
 * Entries of the audit stream are queued for sealing in the same statement, so that anyone who can see the entry can
 * also see that it is queued. An entry inserted any other way is not queued, which `verifyLog` detects.
 */
export async function appendEntries(
  db: Runs,
  { newId }: Pick<Platform, 'newId'>,
  entries: NewEntry[],
): Promise<void> {
  const given = entries.map(entry => withPeople({ ...entry, id: entry.id ?? newId('log', entry.ts) }));
  const named = given.flatMap(({ people, ...entry }) => people.map(({ person }) => ({ ...entry, person })));
  // One statement text for any number of rows, because each text is a prepared statement in every connection. As JSON,
  // because the runtime serializes that natively: arrays, whose quotes need escaping once more, take twice as long.
  await db.run(sql`
    with kept as (
      insert into log_entries (project_id, stream, ts, id, level, subject, actor, action, text, detail, names)
      select "projectId", stream, ts, id, level, subject, actor, action, text, detail, names
      from jsonb_to_recordset(${JSON.stringify(given.map(rowOf))}::jsonb) as e (
        "projectId" text, stream text, ts timestamptz, id text, level smallint, subject text, actor jsonb,
        action text, text text, detail jsonb, names jsonb)
      on conflict do nothing
      returning project_id, stream, ts, id),
    named as (
      insert into log_people (project_id, person, stream, ts, entry_id)
      select * from unnest(
        ${named.map(e => e.projectId)}::text[], ${named.map(e => e.person)}::text[],
        ${named.map(e => e.stream)}::text[], ${named.map(e => e.ts)}::timestamptz[], ${named.map(e => e.id)}::text[])
      on conflict do nothing)
    insert into audit_unsealed (project_id, ts, id)
    select project_id, ts, id from kept where stream = 'audit'`);
}

type Given = NewEntry & { id: string; people: readonly Person[] };

function rowOf({ projectId, stream, ts, id, level, subject, actor, action, text, detail, people }: Given) {
  const names = people.length > 0 ? salted(people) : undefined;
  // PostgreSQL does not accept half a surrogate pair: as everywhere else, it becomes a replacement character.
  const words = { text: text.toWellFormed(), detail, names };
  return { projectId, stream, ts, id, level, subject, actor, action, ...words };
}

/** An end user is named in each entry about an action of theirs; the HTTP log contains only ids. */
function withPeople(entry: NewEntry & { id: string }): Given {
  const { stream, actor, people: others = [] } = entry;
  const isByUser = stream !== 'http' && actor.callerType === 'user' && actor.id !== '';
  const people = isByUser ? [{ person: actor.id, values: [actor.displayName] }, ...others] : others;
  return people.length === 0 ? { ...entry, people } : { ...entry, ...plain(entry), people };
}
