import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';

/** How long an expired token is kept, so that a developer can see which token a failing pipeline uses. */
const expiredDays = 30;

export const sessions: Slice = {
  platformTables: {
    sessions: 'A session of a signed-in browser.',
    access_tokens: 'An access token of a developer, with which scripts call the API.',
  },
  idPrefixes: ['ses', 'pat'],
  chores: [
    {
      name: 'sessions',
      deletes: now => sql`
        delete from sessions where hash in (
          select hash from sessions where expires_at < ${now} limit ${batch}) returning 1`,
    },
    {
      name: 'access tokens',
      deletes: now => sql`
        delete from access_tokens where id in (
          select id from access_tokens where expires_at < ${daysBefore(now, expiredDays)} limit ${batch}) returning 1`,
    },
  ],
};
