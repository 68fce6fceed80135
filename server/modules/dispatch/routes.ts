import {
  explainModule,
  type ModuleRun,
  recoverSmartModule,
  resendModuleRun,
  testSmartModule,
} from '#contract/moduleRun.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { countFailed, doAgain, doFailedAgain } from '#server/modules/runs/doAgain.ts';
import { forgetHealth } from '#server/modules/runs/forgetHealth.ts';
import { findRun, toRun } from '#server/modules/runs/runRows.ts';
import { publishModules } from '#server/modules/smartModules/moduleNotices.ts';
import { setParked } from '#server/modules/smartModules/store.ts';
import { moduleTypes } from '#server/modules/types/moduleTypes.ts';
import { explain } from './explain.ts';
import { ModuleWork } from './moduleWork.ts';
import { storeTest, tryModule } from './testModule.ts';

/** Turns events into runs of modules. */
export const moduleDispatch: Slice = {
  tables: {
    module_late_projects:
      'A project whose modules need longer than others can wait: the dispatch cursor it has apart from its shard.',
  },
  platformTables: {
    module_shards: 'The dispatch cursor of a shard of projects, and the worker that holds it.',
  },
  idPrefixes: ['wrk'],
  routes: [
    on(resendModuleRun, resend),
    on(recoverSmartModule, recover),
    on(testSmartModule, tryModule, storeTest),
    on(explainModule, explain),
  ],
  jobs: platform => {
    const work = new ModuleWork(platform, moduleTypes);
    return { tasks: {}, stop: () => work.stop() };
  },
};

async function resend({
  db,
  platform,
  row,
  params,
  afterCommit,
}: Call<typeof resendModuleRun>): Promise<ModuleRun> {
  const key = { projectId: row.projectId, moduleId: row.id, runId: params.runId };
  const before = await findRun(db, key);
  if (!before) throw new Problem('MODULE_RUN_NOT_FOUND');
  await mustBeActive(db, row);
  await doAgain(db, { ...key, id: key.runId });
  afterCommit(() => publishModules(platform, key));
  return toRun({ ...before, state: 'waiting', attempts: 0, nextAt: null });
}

async function recover({
  db,
  platform,
  row,
  body,
  afterCommit,
}: Call<typeof recoverSmartModule>): Promise<{ count: number }> {
  const failed = { projectId: row.projectId, moduleId: row.id, since: new Date(body.since) };
  await mustBeActive(db, row);
  if (body.dryRun) return { count: await countFailed(db, failed) };
  const count = await doFailedAgain(db, failed);
  await setParked(db, row, null);
  await forgetHealth(db, row);
  afterCommit(() => publishModules(platform, failed));
  return { count };
}

/** Locks the module, so that no run is queued while it is being suspended. */
async function mustBeActive(db: Db, { projectId, id }: { projectId: string; id: string }): Promise<void> {
  const found = await db.one(sql`
    select 1 as found from smart_modules where project_id = ${projectId} and id = ${id} and not suspended for share`);
  if (!found) throw new Problem('MODULE_SUSPENDED');
}
