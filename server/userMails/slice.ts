import { sql } from '#server/db/sql.ts';
import { batch } from '#server/jobs/housekeeping.ts';
import type { Slice } from '#server/slice.ts';

export const userMails: Slice = {
  tables: { user_codes: 'What an e-mail to an end user proves: a code, and the token of a link.' },
  chores: [
    {
      name: 'codes of end users',
      deletes: now => sql`
        delete from user_codes where hash in (
          select hash from user_codes where expires_at < ${now} limit ${batch}) returning 1`,
    },
  ],
};
