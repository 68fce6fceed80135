import { z } from 'zod';
import { time } from './shapes.ts';

/** The progress of a bulk action. */
export const bulkProgress = {
  state: z.enum(['running', 'done', 'failed']),
  /** How many rows matched when the action started; alerts are counted up to 10,000. */
  total: z.number().int(),
  done: z.number().int(),
  error: z.string().optional(),
  createdAt: time,
  finishedAt: time.optional(),
};
