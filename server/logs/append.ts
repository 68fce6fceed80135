import { type Db, join, sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';

/** Who did it, as spec §3 has it. */
export interface Actor {
  callerType: 'agent' | 'user' | 'device' | 'mcrmtUser' | 'operator' | 'developer' | 'projectKey';
  id: string;
  displayName: string;
  bySudoer?: true;
}

export type Stream = 'audit' | 'system' | 'http';

export interface NewEntry {
  /** Given where an append may be tried twice: the second try changes nothing. */
  id?: string;
  projectId: string;
  stream: Stream;
  ts: Date;
  /** 0 ERROR, 1 WARN, 2 INFO, 3 DEBUG (spec §9) */
  level: 0 | 1 | 2 | 3;
  subject?: string | undefined;
  actor: Actor;
  action: string;
  text: string;
  detail?: Record<string, unknown>;
}

/** Appends in the caller's transaction: what happened and the entry about it are kept together or not at all. */
export function appendEntry(db: Db, platform: Platform, entry: NewEntry): Promise<number> {
  return appendEntries(db, platform, [entry]);
}

export function appendEntries(
  db: Db,
  { newId }: Pick<Platform, 'newId'>,
  entries: NewEntry[],
): Promise<number> {
  const rows = entries.map(
    e => sql`(${e.projectId}, ${e.stream}, ${e.ts}, ${e.id ?? newId('log')}, ${e.level}, ${e.subject ?? null},
      ${JSON.stringify(e.actor)}, ${e.action}, ${e.text}, ${e.detail ? JSON.stringify(e.detail) : null})`,
  );
  return db.run(sql`
    insert into log_entries (project_id, stream, ts, id, level, subject, actor, action, text, detail)
    values ${join(rows)} on conflict do nothing`);
}
