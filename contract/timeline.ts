import { z } from 'zod';
import { alertSeverities, alertStates } from './alert.ts';
import { Command } from './command.ts';
import { DesiredChange } from './desiredChange.ts';
import { DeviceUpdate } from './deviceFirmware.ts';
import { DeviceEvent } from './deviceState.ts';
import { endpoint } from './endpoint.ts';
import { LogEntry } from './log.ts';
import { countUpTo } from './paging.ts';
import { rangeMoment, time } from './shapes.ts';

/** What can be in a timeline. Of the same millisecond, what stands first here is shown first. */
export const timelineKinds = ['alert', 'event', 'log', 'command', 'desired', 'firmware', 'change'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

const at = { id: z.string().meta({ examples: ['alr_01kag4m8y2e6tvp0rm7n4s9cqd'] }), at: time };

export const TimelineItem = z.discriminatedUnion('kind', [
  /** An alert was raised. */
  z.object({
    ...at,
    kind: z.literal('alert'),
    alert: z.object({ severity: z.enum(alertSeverities), text: z.string(), state: z.enum(alertStates) }),
  }),
  z.object({ ...at, kind: z.literal('event'), event: DeviceEvent }),
  /** An entry of the system log: connections, rejected messages, a suspension. */
  z.object({ ...at, kind: z.literal('log'), entry: LogEntry }),
  z.object({ ...at, kind: z.literal('command'), command: Command }),
  z.object({ ...at, kind: z.literal('desired'), change: DesiredChange }),
  /** The device was told to run a bundle, or reached the state in which the update is or ended. */
  z.object({
    ...at,
    kind: z.literal('firmware'),
    step: z.enum(['assigned', 'state']),
    update: DeviceUpdate,
  }),
  /** An entry of the audit log that names the device: what somebody changed. */
  z.object({ ...at, kind: z.literal('change'), entry: LogEntry }),
]);
export type TimelineItem = z.output<typeof TimelineItem>;

export const Timeline = z.object({
  /** Newest first. */
  items: z.array(TimelineItem),
  /** Continue with this as `after`. Absent: there is nothing older in the range. */
  next: z.string().optional(),
});
export type Timeline = z.output<typeof Timeline>;

const kind = z.enum(timelineKinds);

export const readTimeline = endpoint('readTimeline', 'GET /devices/:deviceId/timeline', {
  summary:
    'Returns what happened to a device within a time range, newest first: alerts, events, system log, commands, desired state, firmware, and what was changed. `kinds` can be repeated.',
  access: { role: 'viewer', of: 'devicePart' },
  query: z.strictObject({
    begin: rangeMoment,
    end: rangeMoment,
    kinds: z.union([kind.transform(one => [one]), z.array(kind)]).optional(),
    maxEntries: countUpTo(200).optional(),
    /** The `next` of the previous page. */
    after: z
      .string()
      .max(200)
      .meta({ examples: ['1764252371000.2.log_01kag4m8y2e6tvp0rm7n4s9cqd'] })
      .optional(),
  }),
  answer: Timeline,
  reasons: ['DEVICE_NOT_FOUND', 'INVALID_RANGE'],
});
