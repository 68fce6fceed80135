import { z } from 'zod';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { ofProject } from './deviceClass.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { jsonValue, time } from './shapes.ts';

const reasons = ['DEVICE_CLASS_NOT_FOUND', 'AMBIGUOUS_ID'] as const;

/** A place in a message that violates the schema. */
export const SchemaFault = z.object({
  /** JSON pointer into the message. */
  at: z.string(),
  /** What the schema requires there, as a sentence. */
  text: z.string(),
});
export type SchemaFault = z.output<typeof SchemaFault>;

export const QuarantinedMessage = z.object({
  id: z.string(),
  ts: time,
  deviceId: z.string(),
  kind: z.enum(['state', 'event']),
  /** The name of the event, if the message is an event. */
  name: z.string().optional(),
  payload: jsonValue,
  faults: z.array(SchemaFault),
});
export type QuarantinedMessage = z.output<typeof QuarantinedMessage>;

export const listQuarantine = endpoint('listQuarantine', 'GET /deviceClasses/:classId/quarantine', {
  summary:
    'Lists the messages that violated a schema of the class, newest first, with what is wrong in each. The newest 10,000 are kept, for 30 days; they have no other effect.',
  access: { role: 'viewer', of: 'deviceClass' },
  query: ofProject.extend({ ...pagingQuery, deviceId: z.string().max(64).optional() }),
  list: { sortBy: ['ts'], default: 'ts:desc' },
  answer: z.array(QuarantinedMessage),
  reasons,
});

export const quarantineCausesMax = 50;

export const QuarantineCause = z.object({
  kind: z.enum(['state', 'event']),
  /** The name of the event, if the message is an event. */
  name: z.string().optional(),
  /** The first error of these messages. */
  fault: SchemaFault,
  messages: z.number().int(),
  devices: z.number().int(),
  lastAt: time,
});
export type QuarantineCause = z.output<typeof QuarantineCause>;

export const listQuarantineCauses = endpoint(
  'listQuarantineCauses',
  'GET /deviceClasses/:classId/quarantine/causes',
  {
    summary:
      'Groups the messages in the quarantine of a class by their first error, the most frequent first. Returns at most 50 groups.',
    access: { role: 'viewer', of: 'deviceClass' },
    query: ofProject,
    answer: z.array(QuarantineCause),
    reasons,
  },
);

export const checkMessage = endpoint('checkMessage', 'POST /deviceClasses/:classId/messageCheck', {
  summary:
    'Validates a message against the schemas of a class as the device gateway would, without sending it. If there are no faults, it would be accepted.',
  access: { role: 'viewer', of: 'deviceClass' },
  query: ofProject,
  body: z.strictObject({
    kind: z.enum(['state', 'event', 'command']),
    /** The name of the event or command. */
    name: z.string().max(eventNameMax).regex(eventNamePattern).optional(),
    payload: jsonValue,
  }),
  answer: z.object({
    /** False: the class has no schema for such a message, so any payload is accepted. */
    hasSchema: z.boolean(),
    faults: z.array(SchemaFault),
  }),
  reasons,
  audit: null,
});

export const clearQuarantine = endpoint('clearQuarantine', 'DELETE /deviceClasses/:classId/quarantine', {
  summary: 'Clears the quarantine of a class.',
  access: { role: 'developer', of: 'deviceClass' },
  query: ofProject,
  reasons: [...reasons, 'ROLE_TOO_LOW'],
  audit: 'Quarantine of device class {id} cleared',
  makesOld: ['deviceClasses'],
});
