import { ofModuleRunDays } from '#rules/time/retention.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { unsubscribePage } from './unsubscribePage.ts';

/** Unsubscribed users, and the e-mails sent to homes. */
export const moduleNotify: Slice = {
  tables: {
    notify_refusals: 'An end user who unsubscribed from the e-mails of a smart module.',
    notify_sends: 'A run of a smart module that sent an e-mail to a home.',
  },
  userPages: [unsubscribePage],
  chores: [
    {
      name: 'e-mails of modules',
      deletes: now => sql`
        delete from notify_sends where (project_id, module_id, run_id) in (
          select project_id, module_id, run_id from notify_sends where at < ${daysBefore(now, ofModuleRunDays)}
          limit ${batch})
        returning 1`,
    },
  ],
};
