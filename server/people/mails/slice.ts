import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';

export const userMails: Slice = {
  tables: { user_codes: 'A code and link token sent to an end user by e-mail, and what they prove.' },
  chores: [
    {
      name: 'codes of end users',
      deletes: now => sql`
        delete from user_codes where hash in (
          select hash from user_codes where expires_at < ${now} limit ${batch}) returning 1`,
    },
  ],
};
