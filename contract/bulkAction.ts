import { z } from 'zod';
import { time } from './shapes.ts';

/** How far a bulk action is. */
export const bulkProgress = {
  state: z.enum(['running', 'done', 'failed']),
  /** How many matched when the action started; of alerts, at most 10,000 are counted. */
  total: z.number().int(),
  done: z.number().int(),
  error: z.string().optional(),
  createdAt: time,
  finishedAt: time.optional(),
};
