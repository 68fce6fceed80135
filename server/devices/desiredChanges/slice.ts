import { listDesiredChanges } from '#contract/desiredChange.ts';
import { retentionDays } from '#rules/time/retention.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { changesOf } from './store.ts';
import { forgetWhoDesired, wipeDesiredChanges } from './wipeDesiredChanges.ts';

const changeChore: Chore = {
  name: 'desired changes',
  deletes: now => sql`
    delete from desired_changes where (project_id, device_id, version) in (
      select project_id, device_id, version from desired_changes where created_at < ${daysBefore(now, retentionDays.deviceMessages)}
      limit ${batch}) returning 1`,
};

export const desiredChanges: Slice = {
  tables: { desired_changes: 'A change of the desired state of a device and the stage it has reached.' },
  chores: [changeChore],
  wipesReleased: wipeDesiredChanges,
  forgetsUser: forgetWhoDesired,
  routes: [
    on(listDesiredChanges, ({ db, row, page }) =>
      changesOf(db, { projectId: row.projectId, deviceId: row.id }, page),
    ),
  ],
};
