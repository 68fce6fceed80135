import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { time } from './shapes.ts';

export const SchedulePreview = z.object({
  /** The next five times. */
  next: z.array(
    z.object({
      at: time,
      /** The local time in the time zone: `Mon 23 Nov 2026, 07:00 GMT+1`. */
      local: z.string(),
      /** A note if daylight saving time affects this time. */
      note: z.string().optional(),
    }),
  ),
  /** What is wrong with the time or the time zone. */
  fault: z.object({ field: z.enum(['cron', 'timeZone']), message: z.string() }).optional(),
});
export type SchedulePreview = z.output<typeof SchedulePreview>;

export const previewSchedule = endpoint('previewSchedule', 'POST /projects/:projectId/schedulePreview', {
  summary: 'Returns the next times of a schedule.',
  access: { role: 'viewer', of: 'project' },
  body: z.strictObject({
    cron: z
      .string()
      .max(100)
      .meta({ examples: ['0 7 * * 1-5'] }),
    timeZone: z.string().max(64),
  }),
  answer: SchedulePreview,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
  audit: null,
  capability: 'canAdmin',
});
