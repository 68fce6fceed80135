import { type Db, sql } from '#server/infra/db/sql.ts';

/** Called when the password was entered again correctly. Call `publishUserSessions` after the commit. */
export function renewUserProof(
  db: Db,
  { projectId, sessionId, now }: { projectId: string; sessionId: string; now: Date },
): Promise<number> {
  return db.run(sql`
    update user_sessions set proved_at = ${now} where project_id = ${projectId} and id = ${sessionId}`);
}
