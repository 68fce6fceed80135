import { z } from 'zod';
import { numberText } from '#rules/text/numberText.ts';
import { Command } from './command.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { jsonObject, time } from './shapes.ts';

/** The maximum number of changes kept per device. */
export const desiredChangesMax = 1000;

/**
 * `stored`: the device is offline. `sent`: on its way. `acknowledged`: received by the device. Then the device reported
 * the changed values (`reported`), or a later change replaced this one before it did (`replaced`). `unchanged`: there
 * was nothing to do, because the device already reported these values.
 */
export const desiredStages = ['stored', 'sent', 'acknowledged', 'reported', 'replaced', 'unchanged'] as const;

export const DesiredChange = z.object({
  deviceId: z.string(),
  /** The version of the desired state after the change. */
  version: z.number().int(),
  /** The change as a merge patch: null means that the value is no longer desired. */
  patch: jsonObject,
  stage: z.enum(desiredStages),
  setBy: Command.shape.sentBy,
  /** When the call that made the change arrived, and the id of that call in logs. Absent: a smart module made it. */
  calledAt: time.optional(),
  requestId: z.string().optional(),
  createdAt: time,
  sentAt: time.optional(),
  /** Also absent if the device subscribes at QoS 0, where it acknowledges nothing. */
  acknowledgedAt: time.optional(),
  reportedAt: time.optional(),
  replacedAt: time.optional(),
});
export type DesiredChange = z.output<typeof DesiredChange>;

export const listDesiredChanges = endpoint('listDesiredChanges', 'GET /devices/:deviceId/desiredChanges', {
  capability: 'canAdmin',
  summary: `Lists the changes to the desired state of a device, and the progress of each. The latest ${numberText(desiredChangesMax)} are kept, for 30 days.`,
  access: { role: 'viewer', of: 'devicePart' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['version'], default: 'version:desc' },
  answer: z.array(DesiredChange),
  reasons: ['DEVICE_NOT_FOUND'],
});
