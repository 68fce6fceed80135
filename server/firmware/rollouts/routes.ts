import { actOnRollout, createRollout, editRollout, listRollouts, readRollout } from '#contract/rollout.ts';
import { listRolloutDevices, readRolloutReport, tryRollout } from '#contract/rolloutReport.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { actFor } from './actFor.ts';
import { storeCounts } from './counts.ts';
import { create } from './createRollout.ts';
import { edit } from './editRollout.ts';
import { reportOf } from './report.ts';
import { devicesOf } from './rolloutDevices.ts';
import { advanceRolloutJob, advanceRolloutsJob } from './rolloutJobs.ts';
import { readOut, rolloutResource, rolloutsOf } from './store.ts';
import { tryOutFor } from './tryOut.ts';

/** Rollouts; their rows belong to the slice `rolloutOutcomes`. */
export const rollouts: Slice = {
  resources: { rollout: rolloutResource },
  constraints: { rollouts_unfinished: 'ROLLOUT_RUNNING' },
  jobs: platform => ({
    tasks: {
      advanceRollout: advanceRolloutJob(platform),
      advanceRollouts: advanceRolloutsJob(platform),
    },
  }),
  hourly: storeCounts,
  schedule: [{ task: 'advanceRollouts', at: '* * * * *' }],
  routes: [
    on(listRollouts, ({ db, query, page }) => rolloutsOf(db, query, page)),
    on(createRollout, create),
    on(readRollout, ({ db, row }) => readOut(db, row)),
    on(editRollout, edit),
    on(actOnRollout, actFor),
    on(listRolloutDevices, devicesOf),
    on(readRolloutReport, reportOf),
    on(tryRollout, tryOutFor),
  ],
};
