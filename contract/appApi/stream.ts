import { z } from 'zod';
import { alertSeverities, alertStates } from '../alert.ts';
import { commandStages } from '../command.ts';
import { endpoint } from '../endpoint.ts';
import { homeRoles } from '../home.ts';
import { jsonObject, jsonValue, time } from '../shapes.ts';
import { MyUpdate } from './device.ts';

const of = { homeId: z.string(), ts: time };
const device = { ...of, deviceId: z.string() };

/**
 * The messages of an event stream, in order for each device. The id of a message is a cursor: reconnect with
 * `Last-Event-ID` (or `?lastEventId=`) to resume after it.
 */
export const StreamMessage = z.discriminatedUnion('type', [
  /** An event of a device, or one sent by a back end, to which the app subscribes. */
  z.object({
    type: z.literal('event'),
    ...of,
    homeId: z.string().optional(),
    deviceId: z.string().optional(),
    name: z.string(),
    payload: jsonValue,
    alert: z.object({ severity: z.string(), text: z.string() }).optional(),
  }),
  z.object({ type: z.literal('state'), ...device, reported: jsonObject }),
  z.object({ type: z.literal('desired'), ...device, desired: jsonObject, version: z.number().int() }),
  z.object({ type: z.literal('presence'), ...device, connected: z.boolean() }),
  z.object({
    type: z.literal('command'),
    ...device,
    commandId: z.string(),
    stage: z.enum(commandStages),
    result: jsonValue.optional(),
    error: z.string().optional(),
  }),
  /**
   * An alert was raised or changed its state; `changed` means that its severity changed. Contains the current alert.
   */
  z.object({
    type: z.literal('alert'),
    ...device,
    alertId: z.string(),
    what: z.enum(['raised', 'acknowledged', 'resolved', 'reopened', 'changed']),
    severity: z.enum(alertSeverities),
    text: z.string(),
    state: z.enum(alertStates),
  }),
  /**
   * The firmware that a device should run. Sent when its state or the home's answer changes. Null: no update any more.
   */
  z.object({ type: z.literal('update'), ...device, update: MyUpdate.nullable() }),
  /** A device joined the home, left it, or was renamed. */
  z.object({ type: z.literal('device'), ...device, what: z.enum(['added', 'removed', 'changed']) }),
  /**
   * The home itself, its members or invitations changed: read it again. `invitations` is also sent to the invited user.
   */
  z.object({
    type: z.literal('home'),
    ...of,
    what: z.enum(['changed', 'members', 'invitations', 'deleted']),
  }),
  /** The user's own role in a home changed; absent: no longer a member. */
  z.object({ type: z.literal('membership'), ...of, role: z.enum(homeRoles).optional() }),
]);
export type StreamMessage = z.output<typeof StreamMessage>;

/**
 * The stream's own messages. `opened`: everything from here on is sent. `reset`: the cursor is too old, read everything
 * again. `lagging`: the reader was too slow and the stream ends; reconnect with the last id. `ended`: the session
 * ended. `beat`: a heartbeat.
 */
export const streamSignals = ['opened', 'reset', 'lagging', 'ended', 'beat'] as const;

export const openStream = endpoint('openStream', 'GET /events', {
  summary:
    'Streams what happens in the user’s homes as server-sent events, or over a WebSocket at the same address. Browsers cannot set headers for these, so they send a `ticket` instead of a token. `homeId` limits the stream to one home.',
  access: 'public',
  query: z.strictObject({
    ticket: z.string().max(200).optional(),
    homeId: z.string().max(18).optional(),
    lastEventId: z.string().max(64).optional(),
  }),
  raw: 'event stream',
  reasons: ['NO_USER_SESSION', 'TICKET_INVALID', 'HOME_NOT_FOUND', 'TOO_MANY_STREAMS'],
});

export const createStreamTicket = endpoint('createStreamTicket', 'POST /events/ticket', {
  summary: 'Returns a ticket that opens one stream within 30 seconds.',
  access: 'user',
  answer: z.object({ ticket: z.string(), expiresAt: time }),
  audit: null,
});
