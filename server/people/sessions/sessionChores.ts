import { retentionDays } from '#rules/time/retention.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import type { Platform } from '#server/infra/platform.ts';

export const sessionChores: readonly Chore[] = [
  {
    name: 'tokens of end users',
    deletes: now => sql`
      delete from user_tokens where hash in (
        select hash from user_tokens where expires_at < ${now} limit ${batch}) returning 1`,
  },
  {
    name: 'sessions of end users',
    deletes: now => sql`
      delete from user_sessions where (project_id, id) in (
        select project_id, id from user_sessions where ended_at < ${daysBefore(now, retentionDays.endedUserSessions)} limit ${batch})
      returning 1`,
  },
];

/** Ends expired sessions. No notice is needed, because cached sessions expire as well. */
export async function endExpired({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  for (let ended = batch; ended === batch; ) ended = await endBatch(db, clock());
}

function endBatch(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    update user_sessions set ended_at = expires_at, end_reason = 'expired'
    where (project_id, id) in (
      select project_id, id from user_sessions where ended_at is null and expires_at <= ${now} limit ${batch})`);
}
