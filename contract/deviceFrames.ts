import { z } from 'zod';
import { consentAnswers, progressStates, updateWaits } from './deviceWire.ts';
import { jsonValue, time } from './shapes.ts';

const name = z.string().min(1).max(100);

export const alertSeverities = ['info', 'warning', 'critical'] as const;
export const alertTextMax = 500;
/** Identifies an alert of the device; defaults to the name of the event. */
const alertKey = z.string().min(1).max(100).optional();

export const Alert = z.discriminatedUnion('resolved', [
  z.object({
    resolved: z.literal(false).optional(),
    severity: z.enum(alertSeverities),
    text: z.string().min(1).max(alertTextMax),
    key: alertKey,
  }),
  /** The problem is over: resolves the alert with this key. */
  z.object({ resolved: z.literal(true), key: alertKey, text: z.string().max(alertTextMax).optional() }),
]);

export const CommandFrame = z.object({ id: z.string(), args: jsonValue, expiresAt: time });
/** One element of the list that `GET commands` returns. */
export const FetchedCommand = CommandFrame.extend({ name: z.string() });
export const ResultFrame = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), result: jsonValue.optional() }),
  z.strictObject({ ok: z.literal(false), error: z.string().max(2000) }),
]);
export const EntityFrame = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$/,
      'must have up to 63 letters, digits, - and _, with a letter or digit at both ends',
    ),
  class: name,
  state: jsonValue.optional(),
});
export const InstalledFrame = z.strictObject({
  bundleId: z.string().max(64).optional(),
  /** The sequence of the target that was installed. */
  sequence: z.number().int().min(0).optional(),
  components: z
    .array(
      z.strictObject({
        component: name,
        version: name,
        /** SHA-256 of the file, so that a delta can be created from it. */
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
          .optional(),
      }),
    )
    .max(100),
});
export const ProgressFrame = z.strictObject({
  state: z.enum(progressStates),
  /** The sequence of the target that the report is about; a report about an older target changes nothing. */
  sequence: z.number().int().min(0).optional(),
  percent: z.number().min(0).max(100).optional(),
  component: name.optional(),
  /** If it failed: one of the codes in the reference, or your own. */
  code: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, 'must have 1 to 64 lower-case letters, digits and _')
    .meta({ examples: ['no_space'] })
    .optional(),
  error: z.string().max(2000).optional(),
  /** If it is postponed: until when. */
  until: time.optional(),
  /** If it is ready: what it waits for. */
  waitsFor: z.enum(updateWaits).optional(),
});
/** What a device should run. */
export const TargetFrame = z.object({
  /** Increases when the bundle changes; send it back in every report. */
  sequence: z.number().int(),
  bundleId: z.string(),
  deviceClass: z.string(),
  components: z.array(
    z.object({
      component: z.string(),
      version: z.string(),
      size: z.number().int(),
      sha256: z.string(),
      /** Valid for 24 hours; supports range requests. */
      url: z.string(),
      securityVersion: z.number().int(),
      /** The signature by the developer’s offline key, if the component has one. */
      signature: z.object({ keyId: z.string(), value: z.string() }).optional(),
      /**
       * Turns the file that the device reports as installed, with the checksum `from`, into the new one: a zstd frame
       * with the old file as dictionary. A device can always download the whole file instead.
       */
      delta: z
        .object({
          format: z.literal('zstd-patch'),
          from: z.string(),
          url: z.string(),
          size: z.number().int(),
          sha256: z.string(),
        })
        .optional(),
    }),
  ),
  /** The home's answer, if it was asked: install now, or not before `until`. */
  consent: z.object({ answer: z.enum(consentAnswers), until: time.optional() }).optional(),
  /** The signature by the platform’s key over device, sequence, times and digest of the components. */
  proof: z
    .object({
      issuedAt: time,
      expiresAt: time,
      digest: z.string(),
      signature: z.string(),
    })
    .optional(),
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
  NOT_KEPT: 'The message could not be stored, because the device was deleted.',
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
export type TargetFrame = z.output<typeof TargetFrame>;
export type LogRequestFrame = z.output<typeof LogRequestFrame>;
export type LogRequestStatusFrame = z.output<typeof LogRequestStatusFrame>;
export type LogLineFrame = z.output<typeof LogLineFrame>;
export type RejectedFrame = z.output<typeof RejectedFrame>;
export type AlertFrame = z.output<typeof Alert>;
