import { readTimeline, timelineKinds } from '#contract/timeline.ts';
import { on } from '#server/api/endpoints/route.ts';
import { timeRange } from '#server/api/http/timeRange.ts';
import type { Slice } from '#server/api/slice.ts';
import { timelineOf } from './readTimeline.ts';

const entriesDefault = 50;
/** What a device said is kept for 30 days. */
const daysMax = 31;

export const timeline: Slice = {
  routes: [
    on(readTimeline, ({ platform, projectId = '', params: { deviceId }, query }) => {
      const { kinds = timelineKinds, maxEntries = entriesDefault, after } = query;
      const range = timeRange(query, daysMax);
      return timelineOf(platform.db, { projectId, deviceId, ...range, kinds, maxEntries, after });
    }),
  ],
};
