import { previewSchedule } from '#contract/moduleSchedule.ts';
import { on } from '#server/endpoints/route.ts';
import type { Slice } from '#server/slice.ts';
import { previewOf } from './preview.ts';

export const moduleSchedules: Slice = {
  routes: [on(previewSchedule, async ({ body, now }) => previewOf(body, now))],
};
