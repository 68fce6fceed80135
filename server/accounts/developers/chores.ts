import { sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';

export const accountChores: readonly Chore[] = [
  {
    name: 'tokens',
    deletes: now => sql`
      delete from tokens where hash in (
        select hash from tokens where expires_at < ${daysBefore(now, 1)} limit ${batch}) returning 1`,
  },
];
