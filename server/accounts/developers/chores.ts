import { sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';

export const accountChores: readonly Chore[] = [
  {
    name: 'tokens',
    deletes: now => sql`
      delete from tokens where hash in (
        select hash from tokens where expires_at < ${daysBefore(now, 1)} limit ${batch}) returning 1`,
  },
  {
    name: 'login failures',
    deletes: now => sql`
      delete from login_failures where key in (
        select key from login_failures
        where last_at < ${daysBefore(now, 1)} and blocked_until < ${now} limit ${batch}) returning 1`,
  },
];
