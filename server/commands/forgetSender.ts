import { type Db, sql } from '#server/db/sql.ts';
import { erasedName } from '#server/logs/entryNames.ts';

/** Removes the name of an erased end user from their commands, but keeps the id. */
export function forgetSender(db: Db, projectId: string, userId: string): Promise<number> {
  return db.run(sql`
    update device_commands set sent_by = sent_by || ${JSON.stringify({ displayName: erasedName })}::jsonb
    where project_id = ${projectId} and sent_by ->> 'callerType' = 'user' and sent_by ->> 'id' = ${userId}`);
}
