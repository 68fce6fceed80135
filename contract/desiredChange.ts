import { z } from 'zod';
import { Command } from './command.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { jsonObject, time } from './shapes.ts';

/** Of each device, so many changes are kept at most. */
export const desiredChangesMax = 1000;

/**
 * `stored`: the device is offline. `sent`: on its way. `acknowledged`: received by the device. Then the device reported
 * what was changed (`reported`), or a later change took its place before it did (`replaced`). `unchanged`: it left
 * nothing to do, as the device reported this before.
 */
export const desiredStages = ['stored', 'sent', 'acknowledged', 'reported', 'replaced', 'unchanged'] as const;

export const DesiredChange = z.object({
  deviceId: z.string(),
  /** The version of the desired state that the change made. */
  version: z.number().int(),
  /** What was changed, as a merge patch: null stands for a value that is desired no more. */
  patch: jsonObject,
  stage: z.enum(desiredStages),
  setBy: Command.shape.sentBy,
  /** When the call that made the change arrived, and the id of that call in logs. Absent: a smart module made it. */
  calledAt: time.optional(),
  requestId: z.string().optional(),
  createdAt: time,
  sentAt: time.optional(),
  /** Absent also where a device subscribes at QoS 0, and acknowledges nothing. */
  acknowledgedAt: time.optional(),
  reportedAt: time.optional(),
  replacedAt: time.optional(),
});
export type DesiredChange = z.output<typeof DesiredChange>;

export const listDesiredChanges = endpoint('listDesiredChanges', 'GET /devices/:deviceId/desiredChanges', {
  capability: 'canAdmin',
  summary: `Lists the changes to the desired state of a device, and the progress of each. The latest ${desiredChangesMax.toLocaleString('en')} are kept, for 30 days.`,
  access: { role: 'viewer', of: 'device' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['version'], default: 'version:desc' },
  answer: z.array(DesiredChange),
  reasons: ['DEVICE_NOT_FOUND'],
});
