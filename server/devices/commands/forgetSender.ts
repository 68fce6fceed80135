import { erasedName } from '#server/api/logs/entryNames.ts';
import type { ErasedUser } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Removes the name of an erased end user from their commands, but keeps the id. */
export async function forgetSender(db: Db, { projectId, userId }: ErasedUser): Promise<void> {
  await db.run(sql`
    update device_commands set sent_by = sent_by || ${JSON.stringify({ displayName: erasedName })}::jsonb
    where project_id = ${projectId} and sent_by ->> 'callerType' = 'user' and sent_by ->> 'id' = ${userId}`);
}
