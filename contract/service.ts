import { z } from 'zod';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { Tokens } from './appApi/session.ts';
import { endpoint } from './endpoint.ts';
import { homeId } from './home.ts';
import { email, jsonValue, line, nameMax, time } from './shapes.ts';
import { language, User } from './user.ts';

/**
 * Calls that only the key of a back end may make. All other calls of the service API are calls of the developer API.
 */

export const SentEvent = z.object({ id: z.string(), ts: time });
export type SentEvent = z.output<typeof SentEvent>;

export const sendEvent = endpoint('sendEvent', 'POST /projects/:projectId/events', {
  summary:
    'Sends an event to the apps of a user, of all members of a home, or of everyone who can see a device. Send exactly one of them.',
  access: { role: 'developer', of: 'project' },
  body: z
    .strictObject({
      userId: z.string().max(64).optional(),
      homeId: homeId.optional(),
      deviceId: z.string().max(64).optional(),
      name: z.string().max(eventNameMax).regex(eventNamePattern),
      payload: jsonValue.optional(),
    })
    .meta({
      examples: [
        { userId: 'usr_01kag4m8y2e6tvp0rm7n4s9cqd', name: 'bill-ready', payload: { month: '2026-11' } },
      ],
    }),
  answer: SentEvent,
  reasons: [
    'PROJECT_NOT_FOUND',
    'USER_NOT_FOUND',
    'HOME_NOT_FOUND',
    'DEVICE_NOT_FOUND',
    'TOO_LARGE',
    'ONE_ADDRESSEE',
  ],
  // The HTTP log records every call; the audit log would be flooded.
  audit: null,
  capability: 'canSendEvents',
  keysOnly: true,
});

export const bringUser = endpoint('bringUser', 'PUT /projects/:projectId/externalUsers/:externalId', {
  summary:
    'Creates or updates a user with an id from your back end. The e-mail address counts as verified, so verify it yourself first.',
  access: { role: 'developer', of: 'project' },
  body: z
    .strictObject({ email: email.nullable(), name: line(nameMax, 0), language: language.nullable() })
    .partial(),
  answer: User,
  reasons: ['PROJECT_NOT_FOUND', 'EMAIL_TAKEN', 'STALE'],
  audit: 'External user {externalId} saved',
  makesOld: ['users', 'stats', 'userCounts'],
  ifMatch: 'part',
  capability: 'canHandleBYOU',
  keysOnly: true,
});

export const mintUserSession = endpoint(
  'mintUserSession',
  'POST /projects/:projectId/externalUsers/:externalId/sessions',
  {
    summary:
      'Signs in a user of your back end to an app. Pass the tokens to the app over your own connection.',
    access: { role: 'developer', of: 'project' },
    body: z.strictObject({ appId: z.string().max(64), deviceName: line(200, 0).optional() }),
    answer: Tokens,
    reasons: ['PROJECT_NOT_FOUND', 'USER_NOT_FOUND', 'APP_NOT_FOUND', 'USER_SUSPENDED'],
    audit: 'Session of user {externalId} for app {appId} started',
    makesOld: ['users'],
    capability: 'canHandleBYOU',
    keysOnly: true,
  },
);
