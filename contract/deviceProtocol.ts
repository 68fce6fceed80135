import { z } from 'zod';
import { entitiesMax, type TopicName, topicPatterns } from './deviceWire.ts';
import { jsonObject, jsonValue, time } from './shapes.ts';

export * from './deviceWire.ts';

/**
 * The topics a device can publish and subscribe to, as data. The gateway, the SDK and the reference are derived
 * from it.
 */
export interface Topic {
  /** Under `d/{deviceId}/`; `:name` stands for one level. */
  pattern: string;
  way: 'up' | 'down';
  /** Down: the current value is sent right after the subscription. */
  retained?: true;
  /** Up: accepted at QoS 0 only. */
  lossy?: true;
  /** The HTTP equivalent, under `/device/v1/`. */
  http?: `${'GET' | 'POST'} ${string}`;
  summary: string;
  payload: z.ZodType;
  example: unknown;
  /** Another form that it can have. */
  otherwise?: { title: string; example: unknown };
}

const name = z.string().min(1).max(100);

const Alert = z.object({
  severity: z.enum(['info', 'warning', 'critical']),
  text: z.string().min(1).max(500),
});

export const CommandFrame = z.object({ id: z.string(), args: jsonValue, expiresAt: time });
/** One element of the list that `GET commands` returns. */
export const FetchedCommand = CommandFrame.extend({ name: z.string() });
export const ResultFrame = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), result: jsonValue.optional() }),
  z.strictObject({ ok: z.literal(false), error: z.string().max(2000) }),
]);
export const EntityFrame = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$/),
  class: name,
  state: jsonValue.optional(),
});
export const InstalledFrame = z.strictObject({
  bundleId: z.string().max(64).optional(),
  components: z.array(z.strictObject({ component: name, version: name })).max(100),
});
export const ProgressFrame = z.strictObject({
  state: z.enum(['downloading', 'installing', 'rebooting', 'done', 'failed', 'declined']),
  percent: z.number().min(0).max(100).optional(),
  component: name.optional(),
  error: z.string().max(2000).optional(),
});
export const LogRequestFrame = z.object({
  id: z.string(),
  start: time,
  end: time,
  prefixes: z.array(z.string()),
  uploadUrl: z.string(),
  expiresAt: time,
});
export const LogRequestStatusFrame = z.strictObject({
  status: z.enum(['uploading', 'failure', 'nologs']),
  error: z.string().max(500).optional(),
});
export const LogLineFrame = z.strictObject({
  ts: time.optional(),
  level: z.number().int().min(0).max(3),
  text: z.string().max(4000),
});
/** Why a message was rejected. It is acknowledged all the same, because sending it again would not help. */
export const rejectReasons = {
  TOPIC_UNKNOWN: 'Devices cannot publish to this topic.',
  MALFORMED: 'The payload is not valid JSON.',
  INVALID_FIELDS: 'The payload does not have the shape this topic expects.',
  INVALID_NAME: 'The event name is not valid.',
  SCHEMA_BROKEN: 'The message violates the schema of the device class.',
  TOO_LARGE: 'With this report, the state would exceed 64 KiB.',
  COMMAND_NOT_FOUND: 'No such command was sent to this device.',
  LOG_REQUEST_NOT_FOUND: 'This log request does not exist, or it is closed.',
  QOS_REFUSED: 'Log lines are accepted at QoS 0 only, because they are not stored.',
  NOT_KEPT: 'The message could not be stored.',
} as const;
export type RejectReason = keyof typeof rejectReasons;

export const RejectedFrame = z.object({
  /** The topic of the message, without the device's prefix. */
  topic: z.string(),
  reason: z.enum(Object.keys(rejectReasons) as [RejectReason, ...RejectReason[]]),
  message: z.string(),
  faults: z.array(z.object({ at: z.string(), text: z.string() })).optional(),
});

export type CommandFrame = z.output<typeof CommandFrame>;
export type FetchedCommand = z.output<typeof FetchedCommand>;
export type ResultFrame = z.output<typeof ResultFrame>;
export type EntityFrame = z.output<typeof EntityFrame>;
export type InstalledFrame = z.output<typeof InstalledFrame>;
export type ProgressFrame = z.output<typeof ProgressFrame>;
export type LogRequestFrame = z.output<typeof LogRequestFrame>;
export type LogRequestStatusFrame = z.output<typeof LogRequestStatusFrame>;
export type LogLineFrame = z.output<typeof LogLineFrame>;
export type RejectedFrame = z.output<typeof RejectedFrame>;
export type AlertFrame = z.output<typeof Alert>;

const at = '2026-11-20T08:30:00.000Z';

export const topics = {
  state: {
    pattern: topicPatterns.state,
    way: 'up',
    http: 'POST state',
    summary: 'What changed in the reported state, as a JSON merge patch: null removes a member.',
    payload: jsonObject,
    example: { temperature: 21.5, fan: { on: true } },
  },
  stateRejected: {
    pattern: topicPatterns.stateRejected,
    way: 'down',
    summary: 'A state report was rejected, with the reason.',
    payload: RejectedFrame,
    example: {
      topic: 'state',
      reason: 'SCHEMA_BROKEN',
      message: 'The state violates the schema of the device class.',
      faults: [{ at: '/temperature', text: 'temperature must be a number.' }],
    },
  },
  rejected: {
    pattern: topicPatterns.rejected,
    way: 'down',
    summary: 'Another message was rejected, with the reason.',
    payload: RejectedFrame,
    example: { topic: 'events/door', reason: 'MALFORMED', message: 'The payload is not valid JSON.' },
  },
  desired: {
    pattern: topicPatterns.desired,
    way: 'down',
    retained: true,
    http: 'GET desired',
    summary: 'The desired state of the device.',
    payload: z.object({ version: z.number().int(), desired: jsonObject }),
    example: { version: 3, desired: { fan: { on: false } } },
  },
  delta: {
    pattern: topicPatterns.delta,
    way: 'down',
    retained: true,
    summary: 'The part of the desired state that is not reported yet; an empty object when there is none.',
    payload: z.object({ version: z.number().int(), delta: jsonObject }),
    example: { version: 3, delta: { fan: { on: false } } },
  },
  event: {
    pattern: topicPatterns.event,
    way: 'up',
    http: 'POST events/:name',
    summary:
      'An event. At QoS 1 it is acknowledged once it is stored. A member `_alert` raises an alert, with a severity of `info`, `warning` or `critical`.',
    payload: z.union([z.looseObject({ _alert: Alert.optional() }), jsonValue]),
    example: { open: true, _alert: { severity: 'warning', text: 'The door is open.' } },
  },
  command: {
    pattern: topicPatterns.command,
    way: 'down',
    http: 'GET commands',
    summary:
      'A command to execute. Each has an id; if one arrives twice, repeat the result but do not execute it again.',
    payload: CommandFrame,
    example: { id: 'cmd_01k9x3m2h4e6d8b0a2c4e6g8j0', args: { seconds: 5 }, expiresAt: at },
  },
  result: {
    pattern: topicPatterns.result,
    way: 'up',
    http: 'POST results/:id',
    summary:
      'The result of a command: `ok` is true, with any `result`, or false, with an `error` of up to 2,000 characters for people.',
    payload: ResultFrame,
    example: { ok: true, result: { blinked: 5 } },
    otherwise: { title: 'If it failed', example: { ok: false, error: 'The lamp is unplugged.' } },
  },
  target: {
    pattern: topicPatterns.target,
    way: 'down',
    retained: true,
    http: 'GET target',
    summary: 'The firmware the device should run, or null if none is assigned.',
    payload: z.union([z.null(), jsonObject]),
    example: null,
  },
  installed: {
    pattern: topicPatterns.installed,
    way: 'up',
    http: 'POST installed',
    summary: 'The firmware that is installed.',
    payload: InstalledFrame,
    example: {
      bundleId: 'bnd_01k9x3m2h4e6d8b0a2c4e6g8j0',
      components: [{ component: 'main', version: '1.2.0' }],
    },
  },
  progress: {
    pattern: topicPatterns.progress,
    way: 'up',
    http: 'POST progress',
    summary: 'The progress of an installation.',
    payload: ProgressFrame,
    example: { state: 'downloading', percent: 40, component: 'main' },
  },
  config: {
    pattern: topicPatterns.config,
    way: 'down',
    retained: true,
    http: 'GET config',
    summary: 'The key-value pairs of the class, overridden by those of the device.',
    payload: jsonObject,
    example: { 'report-every-s': 60 },
  },
  entities: {
    pattern: topicPatterns.entities,
    way: 'up',
    http: 'POST entities',
    summary: 'All addressable parts of the device, 200 at most. Replaces the previous list.',
    payload: z.array(EntityFrame).max(entitiesMax),
    example: [{ name: 'lamp-1', class: 'lamp', state: { on: true } }],
  },
  logRequest: {
    pattern: topicPatterns.logRequest,
    way: 'down',
    summary:
      'A request for the device’s own log: PUT it to `uploadUrl` as gzipped JSON lines. Sent again on each connection until it is answered.',
    payload: LogRequestFrame,
    example: {
      id: 'lrq_01k9x3m2h4e6d8b0a2c4e6g8j0',
      start: '2026-11-19T00:00:00.000Z',
      end: '2026-11-20T00:00:00.000Z',
      prefixes: ['wifi'],
      uploadUrl: 'https://mooring.example.com/files/…',
      expiresAt: at,
    },
  },
  logRequestStatus: {
    pattern: topicPatterns.logRequestStatus,
    way: 'up',
    http: 'POST logRequests/:id/status',
    summary:
      'The status of a log request. Success is detected from the upload itself and need not be reported.',
    payload: LogRequestStatusFrame,
    example: { status: 'nologs' },
  },
  log: {
    pattern: topicPatterns.log,
    way: 'up',
    lossy: true,
    summary: 'A line of the live log. Send it only while someone is watching; it is not stored.',
    payload: LogLineFrame,
    example: { level: 2, text: 'wifi: connected' },
  },
  logWanted: {
    pattern: topicPatterns.logWanted,
    way: 'down',
    retained: true,
    summary: 'Whether someone is watching the live log.',
    payload: z.object({ wanted: z.boolean() }),
    example: { wanted: true },
  },
} as const satisfies Record<TopicName, Topic>;
