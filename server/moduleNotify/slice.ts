import { sql } from '#server/db/sql.ts';
import { batch, daysBefore } from '#server/jobs/housekeeping.ts';
import type { Slice } from '#server/slice.ts';

/** Who wants no e-mails of a module, and how many homes got. */
export const moduleNotify: Slice = {
  tables: {
    notify_refusals: 'An end user who wants no e-mails of a smart module.',
    notify_hours: 'How many times a smart module wrote to a home in an hour.',
  },
  chores: [
    {
      name: 'e-mails of modules by hour',
      deletes: now => sql`
        delete from notify_hours where (project_id, module_id, home_id, hour) in (
          select project_id, module_id, home_id, hour from notify_hours where hour < ${daysBefore(now, 1)}
          limit ${batch})
        returning 1`,
    },
  ],
};
