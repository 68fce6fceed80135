import { ofModuleRunDays } from '#rules/time/retention.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { wipePostponed } from './postponedMails.ts';
import { sendPostponedJob } from './sendPostponed.ts';

export const moduleActions: Slice = {
  tables: {
    module_acts: 'An action carried out by a run of a smart module.',
    postponed_mails: 'An e-mail of a rule that waits for the end of quiet hours.',
  },
  wipesReleased: wipePostponed,
  jobs: platform => ({ tasks: { sendPostponedMails: sendPostponedJob(platform) } }),
  schedule: [{ task: 'sendPostponedMails', at: '* * * * *' }],
  chores: [
    {
      name: 'module acts',
      deletes: now => sql`
        delete from module_acts where (project_id, run_id, number) in (
          select project_id, run_id, number from module_acts where at < ${daysBefore(now, ofModuleRunDays)} limit ${batch})
        returning 1`,
    },
  ],
};
