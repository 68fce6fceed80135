import { previewSchedule } from '#contract/moduleSchedule.ts';
import { ofModuleRunDays } from '#rules/time/retention.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { previewOf } from './preview.ts';

/** The devices for which runs of schedules have been carried out. */
export const moduleSchedules: Slice = {
  tables: { schedule_acts: 'A device for which a run of a schedule is done.' },
  routes: [on(previewSchedule, async ({ body, now }) => previewOf(body, now))],
  chores: [
    {
      name: 'acts of schedules',
      deletes: now => sql`
        delete from schedule_acts where (project_id, run_id, device_id) in (
          select project_id, run_id, device_id from schedule_acts where at < ${daysBefore(now, ofModuleRunDays)}
          limit ${batch})
        returning 1`,
    },
  ],
};
