import { sendEvent } from '#contract/service.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { rotatePartitions } from './rotatePartitions.ts';
import { sendOne } from './sendEvent.ts';

export const homeEvents: Slice = {
  tables: { home_events: 'Something that happened in a home, for the event streams of apps.' },
  routes: [on(sendEvent, sendOne)],
  hourly: rotatePartitions,
};
