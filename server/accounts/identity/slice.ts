import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';

/** What the accounts of developers and of end users share. */
export const identity: Slice = {
  platformTables: {
    login_failures: 'Failed sign-ins by account and address, and when the next attempt is allowed.',
  },
  chores: [
    {
      name: 'login failures',
      deletes: now => sql`
        delete from login_failures where key in (
          select key from login_failures
          where last_at < ${daysBefore(now, 1)} and blocked_until < ${now} limit ${batch}) returning 1`,
    },
  ],
};
