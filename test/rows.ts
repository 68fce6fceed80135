import { sql } from '#server/infra/db/sql.ts';
import type { SignedIn, World } from './world.ts';

/** The number of sessions of a developer. */
export async function sessionsOf(world: World, { developer }: SignedIn): Promise<number> {
  const row = await world.platform.db.one<{ count: number }>(
    sql`select count(*)::int as count from sessions where developer_id = ${developer.id}`,
  );
  return row?.count ?? 0;
}

export interface AuditEntry {
  action: string;
  text: string;
  level: number;
  actor: { callerType: string; id: string; displayName: string; bySudoer?: boolean };
  detail: Record<string, unknown>;
}

/** The audit log entries of a developer or a project, oldest first. */
export function auditOf(world: World, id: string): Promise<AuditEntry[]> {
  return world.platform.db.many<AuditEntry>(sql`
    select action, text, level, actor, detail from log_entries
    where stream = 'audit' and (subject = ${id} or project_id = ${id}) order by ts, id`);
}
