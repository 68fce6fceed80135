import type { LogEntry } from '#contract/log.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';

/** Who did it, as spec §3 has it. */
export type Actor = LogEntry['actor'];

export type Stream = 'audit' | 'system' | 'http';

export interface NewEntry {
  /** Given where an append may be tried twice: the second try changes nothing. Made at `ts`, see `placeOf`. */
  id?: string;
  projectId: string;
  stream: Stream;
  ts: Date;
  /** 0 ERROR, 1 WARN, 2 INFO, 3 DEBUG (spec §9) */
  level: LogEntry['level'];
  subject?: string | undefined;
  actor: Actor;
  action: string;
  text: string;
  detail?: Record<string, unknown>;
}

/**
 * Appends in the caller's transaction: what happened and the entry about it are kept together or not at all. Answers the
 * entry as the log shows it.
 */
export async function appendEntry(
  db: Db,
  { newId }: Pick<Platform, 'newId'>,
  entry: NewEntry,
): Promise<LogEntry> {
  const id = newId('log', entry.ts);
  await appendEntries(db, { newId }, [{ ...entry, id }]);
  const { ts, level, actor, action, text, detail } = entry;
  return { id, ts: ts.toISOString(), level, actor, action, text, ...(detail && { detail }) };
}

/**
 * Entries of the audit stream are noted for the sealer by the same statement: whoever sees the entry sees the note. An
 * entry that comes into the table any other way has none, which `verifyLog` finds.
 */
export async function appendEntries(
  db: Db,
  { newId }: Pick<Platform, 'newId'>,
  entries: NewEntry[],
): Promise<void> {
  const column = (value: (entry: NewEntry) => unknown) => entries.map(value);
  // One text for any number of rows: every other one would be a prepared statement of its own in each connection.
  await db.run(sql`
    with kept as (
      insert into log_entries (project_id, stream, ts, id, level, subject, actor, action, text, detail)
      select project_id, stream, ts, id, level, subject, actor::jsonb, action, text, detail::jsonb from unnest(
        ${column(e => e.projectId)}::text[], ${column(e => e.stream)}::text[], ${column(e => e.ts)}::timestamptz[],
        ${column(e => e.id ?? newId('log', e.ts))}::text[], ${column(e => e.level)}::smallint[],
        ${column(e => e.subject ?? null)}::text[], ${column(e => JSON.stringify(e.actor))}::text[],
        ${column(e => e.action)}::text[], ${column(e => e.text)}::text[],
        ${column(e => (e.detail ? JSON.stringify(e.detail) : null))}::text[]
      ) as e (project_id, stream, ts, id, level, subject, actor, action, text, detail)
      on conflict do nothing
      returning project_id, stream, ts, id)
    insert into audit_unsealed (project_id, ts, id)
    select project_id, ts, id from kept where stream = 'audit'`);
}
