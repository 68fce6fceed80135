import { sql } from '#server/db/sql.ts';
import { batch } from '#server/jobs/housekeeping.ts';
import type { Slice } from '#server/slice.ts';

export const sessions: Slice = {
  platformTables: { sessions: 'A session of a signed-in browser.' },
  idPrefixes: ['ses'],
  chores: [
    {
      name: 'sessions',
      deletes: now => sql`
        delete from sessions where hash in (
          select hash from sessions where expires_at < ${now} limit ${batch}) returning 1`,
    },
  ],
};
