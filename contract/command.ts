import { z } from 'zod';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { endpoint } from './endpoint.ts';
import { callerTypes } from './log.ts';
import { pagingQuery } from './paging.ts';
import { jsonValue, time } from './shapes.ts';

/**
 * `queued`: kept, the device is away. `sent`: on its way. `acknowledged`: the device has it. Then it answered (`done`,
 * `failed`), did not in time (`expired`), or was called off before it was sent (`cancelled`).
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
export const commandTtlDefaultS = 86_400;
export const commandTtlMaxS = 30 * 86_400;
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
  createdAt: time,
  expiresAt: time,
  sentAt: time.optional(),
  acknowledgedAt: time.optional(),
  /** When it reached its last stage. */
  finishedAt: time.optional(),
  result: jsonValue.optional(),
  error: z.string().optional(),
});
export type Command = z.output<typeof Command>;

const reasons = ['DEVICE_NOT_FOUND'] as const;

export const listCommands = endpoint('listCommands', 'GET /devices/:deviceId/commands', {
  summary: 'Lists the commands sent to a device, with the stage each has reached. Kept 30 days.',
  access: { role: 'viewer', of: 'device' },
  query: z.strictObject({ ...pagingQuery, stage: z.enum(commandStages).optional() }),
  list: { sortBy: ['createdAt'], default: 'createdAt:desc' },
  answer: z.array(Command),
  reasons,
});

export const sendCommand = endpoint('sendCommand', 'POST /devices/:deviceId/commands', {
  summary: 'Sends a command. To a device that is away it waits until it connects or the command expires.',
  access: { role: 'developer', of: 'device' },
  body: z.strictObject({
    name: z.string().max(eventNameMax).regex(eventNamePattern),
    args: jsonValue.optional(),
    /** Seconds until it expires; a day unless given. */
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
  summary: 'Reads one command; with `waitMs` it answers when the command is finished, or that much later.',
  access: { role: 'viewer', of: 'device' },
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
  summary: 'Calls off a command that was not yet sent.',
  access: { role: 'developer', of: 'device' },
  reasons: [...reasons, 'ROLE_TOO_LOW', 'COMMAND_NOT_FOUND', 'COMMAND_SENT'],
  audit: 'A command to device {id} called off',
});
