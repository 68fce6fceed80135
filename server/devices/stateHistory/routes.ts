import { readMyStateHistory } from '#contract/appApi/stateHistory.ts';
import {
  exportClassStateHistory,
  exportDeviceStateHistory,
  rankDevices,
  readClassStateHistory,
  readDeviceStateHistory,
} from '#contract/stateHistory.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { exportedClassHistory, exportedHistory } from './exportHistory.ts';
import { forgetNumbers } from './forgetNumbers.ts';
import { historyChores } from './historyChores.ts';
import { figurePartitions, reportPartitions } from './historyTables.ts';
import { rankedDevices } from './rankDevices.ts';
import { classHistoryOf, deviceHistoryOf, withoutHistory } from './readHistory.ts';
import { rollUpStatesJob } from './rollUp.ts';
import { settleRestored } from './settleRestored.ts';
import { wipeHistoriesJob, wipeHistory } from './wipeHistory.ts';

export const stateHistory: Slice = {
  tables: {
    state_reports:
      'What a report changed in the state of a device, the patch that undoes it, and the numbers in the report.',
    state_minutes: 'Minimum, maximum, sum and count of a property of a device or class, by five minutes.',
    state_hours: 'Minimum, maximum, sum and count of a property of a device or class, by hour.',
    state_properties:
      'A numeric property that devices of a project report, and whether its history is recorded.',
  },
  platformTables: { state_rollup: 'Which reports are rolled up already; a single row.' },
  partitions: [...reportPartitions, ...figurePartitions],
  wipesReleased: wipeHistory,
  hourly: async platform => {
    await settleRestored(platform);
    await forgetNumbers(platform);
  },
  chores: historyChores,
  jobs: platform => ({
    tasks: { rollUpStates: rollUpStatesJob(platform), wipeHistories: wipeHistoriesJob(platform) },
  }),
  schedule: [{ task: 'rollUpStates', at: '*/5 * * * *' }],
  routes: [
    on(readDeviceStateHistory, async call => ({
      ...(await deviceHistoryOf(call, call.row)),
      withoutHistory: await withoutHistory(call.db, call.row),
    })),
    on(exportDeviceStateHistory, call => exportedHistory(call, call.row)),
    on(readClassStateHistory, call => classHistoryOf(call, call.row)),
    on(exportClassStateHistory, call => exportedClassHistory(call, call.row)),
    on(rankDevices, ({ platform, row, query }) =>
      rankedDevices(platform.db, { ...query, projectId: row.projectId, classId: row.id }),
    ),
  ],
  appRoutes: [on(readMyStateHistory, call => deviceHistoryOf(call, call.row, call.row.ownedSince))],
};
