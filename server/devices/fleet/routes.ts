import {
  listDeviceNames,
  listDevicePulses,
  listFleets,
  pulsesMax,
  readConnectedHistory,
} from '#contract/fleet.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { connectedHistoryChores, connectedHistoryOf, sampleConnectedJob } from './connectedHistory.ts';
import { fleetsOf } from './fleets.ts';
import { namedDevices } from './namedDevices.ts';
import { pulsesOf } from './pulses.ts';

/** The state of a project's devices as a whole. */
export const fleet: Slice = {
  tables: { connected_history: 'How many devices of a class were connected, every quarter of an hour.' },
  jobs: platform => ({ tasks: { sampleConnected: sampleConnectedJob(platform) } }),
  schedule: [{ task: 'sampleConnected', at: '*/5 * * * *' }],
  chores: connectedHistoryChores,
  routes: [
    on(readConnectedHistory, ({ db, params, query, now }) =>
      connectedHistoryOf(db, { ...params, ...query }, now),
    ),
    on(listDevicePulses, ({ db, params, query, now }) =>
      pulsesOf(db, params.projectId, query.ids.split(',').slice(0, pulsesMax), now),
    ),
    on(listDeviceNames, ({ db, params, query }) =>
      namedDevices(db, params.projectId, query.ids.split(',').slice(0, pulsesMax)),
    ),
    on(listFleets, ({ db, me, query, now }) => {
      const reached = me.token?.projectIds;
      const asked = query.projectIds.split(',').filter(id => reached?.includes(id) ?? true);
      return fleetsOf(db, me.developerId, asked, now);
    }),
  ],
};
