import { z } from 'zod';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { commandTtlMaxS } from '#rules/time/lifetimes.ts';
import { endpoint } from './endpoint.ts';
import { callerTypes } from './log.ts';
import { pagingQuery } from './paging.ts';
import { jsonValue, time } from './shapes.ts';

/**
 * `queued`: stored, the device is offline. `sent`: on its way. `acknowledged`: received by the device. Then the
 * device answered (`done`, `failed`), did not answer in time (`expired`), or the command was cancelled before
 * it was sent (`cancelled`).
 */
export const commandStages = [
  'queued',
  'sent',
  'acknowledged',
  'done',
  'failed',
  'expired',
  'cancelled',
] as const;
export const pendingCommandsMax = 1000;
export const argsBytesMax = 64 * 1024;
export const commandWaitMaxMs = 30_000;

export const Command = z.object({
  id: z.string(),
  deviceId: z.string(),
  name: z.string(),
  args: jsonValue,
  stage: z.enum(commandStages),
  sentBy: z.object({ callerType: z.enum(callerTypes), id: z.string(), displayName: z.string() }),
  /** When the call that sent it arrived, and the id of that call in logs. Absent: a smart module sent it. */
  calledAt: time.optional(),
  requestId: z.string().optional(),
  createdAt: time,
  expiresAt: time,
  sentAt: time.optional(),
  acknowledgedAt: time.optional(),
  /** When the command reached its current stage. */
  finishedAt: time.optional(),
  /** The device answered after the command had expired; `result` or `error` is that answer. */
  answeredLateAt: time.optional(),
  result: jsonValue.optional(),
  error: z.string().optional(),
});
export type Command = z.output<typeof Command>;

const reasons = ['DEVICE_NOT_FOUND'] as const;

export const listCommands = endpoint('listCommands', 'GET /devices/:deviceId/commands', {
  capability: 'canSendCommands',
  summary:
    'Lists the commands sent to a device and the stage each has reached. Commands are kept for 30 days.',
  access: { role: 'viewer', of: 'devicePart' },
  query: z.strictObject({ ...pagingQuery, stage: z.enum(commandStages).optional() }),
  list: { sortBy: ['createdAt'], default: 'createdAt:desc' },
  answer: z.array(Command),
  reasons,
});

export const sendCommand = endpoint('sendCommand', 'POST /devices/:deviceId/commands', {
  capability: 'canSendCommands',
  summary:
    'Sends a command. If the device is offline, the command is queued until the device connects or the command expires.',
  access: { role: 'developer', of: 'devicePart' },
  body: z.strictObject({
    name: z.string().max(eventNameMax).regex(eventNamePattern),
    args: jsonValue.optional(),
    /** Seconds until the command expires; one day by default. */
    ttlS: z.number().int().min(1).max(commandTtlMaxS).optional(),
  }),
  answer: Command,
  reasons: [
    ...reasons,
    'ROLE_TOO_LOW',
    'SCHEMA_BROKEN',
    'TOO_MANY_COMMANDS',
    'DEVICE_SUSPENDED',
    'TOO_LARGE',
  ],
  audit: 'Command {name} sent to device {deviceId}',
});

export const readCommand = endpoint('readCommand', 'GET /devices/:deviceId/commands/:commandId', {
  capability: 'canSendCommands',
  summary: 'Retrieves a command. With `waitMs`, waits up to that long for the command to finish.',
  access: { role: 'viewer', of: 'devicePart' },
  query: z.strictObject({
    waitMs: z
      .union([
        z
          .string()
          .regex(/^\d{1,5}$/)
          .transform(Number),
        z.number().int(),
      ])
      .refine(ms => ms >= 0 && ms <= commandWaitMaxMs)
      .optional(),
  }),
  answer: Command,
  reasons: [...reasons, 'COMMAND_NOT_FOUND'],
});

export const cancelCommand = endpoint('cancelCommand', 'DELETE /devices/:deviceId/commands/:commandId', {
  capability: 'canSendCommands',
  summary: 'Cancels a command that has not been sent yet.',
  access: { role: 'developer', of: 'devicePart' },
  reasons: [...reasons, 'ROLE_TOO_LOW', 'COMMAND_NOT_FOUND', 'COMMAND_SENT'],
  audit: 'A command to device {id} cancelled',
});
