import { listModuleRuns, readModuleFigures, readModuleRun } from '#contract/moduleRun.ts';
import { Problem } from '#contract/problem.ts';
import { moduleHourDays, moduleRunDays } from '#rules/time/retention.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { findEvents } from '#server/modules/events/findEvents.ts';
import { listRuns } from './listRuns.ts';
import { readFigures } from './readFigures.ts';
import { findRun, modulesOfRuns, toRun } from './runRows.ts';
import { wipeRuns } from './wipeRuns.ts';

/** The runs of smart modules. */
export const moduleRuns: Slice = {
  tables: {
    module_runs: 'A run of a smart module, for an event or a time of its schedule.',
    module_hours: 'The runs of a smart module in an hour.',
    module_health: 'Since when all runs of a smart module have failed.',
  },
  idPrefixes: ['run'],
  wipesReleased: wipeRuns,
  routes: [on(listModuleRuns, listRuns), on(readModuleRun, readRun), on(readModuleFigures, readFigures)],
  chores: [
    {
      name: 'runs of smart modules',
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

async function readRun({ db, row, params }: Call<typeof readModuleRun>) {
  const { projectId } = row;
  const found = await findRun(db, { projectId, moduleId: row.id, runId: params.runId });
  if (!found) throw new Problem('MODULE_RUN_NOT_FOUND');
  const { deviceId, eventId, causedBy, history } = found;
  const key = deviceId !== null && eventId !== null ? [{ projectId, deviceId, id: eventId }] : [];
  const event = (await findEvents(db, key)).get(eventId ?? '');
  const moduleOf = await modulesOfRuns(db, projectId, causedBy);
  return {
    ...toRun(found),
    causedBy: causedBy.map(runId => ({ runId, ...moduleOf.get(runId) })),
    history,
    ...(event && { payload: event.payload }),
  };
}
