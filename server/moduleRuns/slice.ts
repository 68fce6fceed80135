import { moduleHourDays, moduleRunDays } from '#contract/moduleRun.ts';
import { sql } from '#server/db/sql.ts';
import { batch, daysBefore } from '#server/jobs/housekeeping.ts';
import type { Slice } from '#server/slice.ts';

/** What smart modules do. */
export const moduleRuns: Slice = {
  tables: {
    module_runs: 'What a smart module does, or did, for one event or at one time of its clock.',
    module_hours: 'How much a smart module did in an hour.',
    module_health: 'Since when a smart module has done nothing but fail.',
  },
  idPrefixes: ['run'],
  chores: [
    {
      name: 'runs of smart modules',
      // What waits is never too old: it is parked with its module.
      deletes: now => sql`
        delete from module_runs where (project_id, module_id, id) in (
          select project_id, module_id, id from module_runs
          where created_at < ${daysBefore(now, moduleRunDays)} limit ${batch}) returning 1`,
    },
    {
      name: 'counts of smart modules',
      deletes: now => sql`
        delete from module_hours where (project_id, module_id, hour) in (
          select project_id, module_id, hour from module_hours
          where hour < ${daysBefore(now, moduleHourDays)} limit ${batch}) returning 1`,
    },
  ],
};
