import { z } from 'zod';
import { keyGrace } from '#rules/time/lifetimes.ts';
import { capabilities, endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { descriptionMax, line, moment, nameMax, revision, text, time } from './shapes.ts';

/** The prefix of every secret, so that source code scanners find leaked ones. */
export const keyPrefix = 'mor_';
export const keysMax = 200;
export const keyAddressesMax = 50;

/** The default capabilities of a new key. */
export const capabilityDefaults = {
  canSendCommands: true,
  canSendEvents: true,
  canHandleBYOU: false,
  canUpdateKVStores: true,
  canAdmin: false,
} as const;

const flags = {
  canSendCommands: z.boolean(),
  canSendEvents: z.boolean(),
  canHandleBYOU: z.boolean(),
  canUpdateKVStores: z.boolean(),
  canAdmin: z.boolean(),
};

export const Key = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  description: z.string(),
  suspended: z.boolean(),
  ...flags,
  /** Only in the answers that create or rotate the key. */
  secret: z.string().optional(),
  /** The last four characters of the secret, to tell secrets apart. */
  secretEnd: z.string(),
  secretCreatedAt: time,
  /** The secret before the last rotation, while it is still valid. */
  previousSecret: z
    .object({
      end: z.string(),
      until: time,
      /** Calls with the previous secret since the rotation. */
      uses: z.number().int(),
      lastUsedAt: time.optional(),
      lastUsedFrom: z.string().optional(),
    })
    .optional(),
  /** Addresses or networks (CIDR) from which the key may be used; empty: from anywhere. */
  addresses: z.array(z.string()),
  expiresAt: time.optional(),
  lastUsedAt: time.optional(),
  lastUsedFrom: z.string().optional(),
  /** No advice is shown until then. */
  adviceSnoozedUntil: time.optional(),
  createdAt: time,
  createdBy: z.string(),
  revision,
});
export type Key = z.output<typeof Key>;

const fields = {
  name: line(nameMax),
  description: text(descriptionMax),
  ...flags,
  addresses: z.array(z.string().min(1).max(64)).max(keyAddressesMax),
  /** Null: the key does not expire. */
  expiresAt: moment.nullable(),
};
const inProject = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = ['KEY_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;

export const listKeys = endpoint('listKeys', 'GET /projects/:projectId/keys', {
  summary: 'Lists the keys of back ends. Secrets cannot be read.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['name', 'createdAt', 'lastUsedAt'], default: 'name:asc' },
  answer: z.array(Key),
  reasons: inProject,
});

export const createKey = endpoint('createKey', 'POST /projects/:projectId/keys', {
  summary:
    'Creates a key for a back end. Only this response contains the secret. By default, the key can send commands and events and update key-value pairs.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject(fields).partial().required({ name: true }),
  answer: Key,
  reasons: [...inProject, 'ROLE_TOO_LOW', 'TOO_MANY_KEYS', 'ADDRESS_LIST_UNFIT', 'EXPIRY_PAST'],
  audit: 'Key {name} created',
});

export const readKey = endpoint('readKey', 'GET /keys/:keyId', {
  summary: 'Retrieves a key, without its secret.',
  access: { role: 'viewer', of: 'key' },
  answer: Key,
  reasons,
});

export const editKey = endpoint('editKey', 'PATCH /keys/:keyId', {
  summary: 'Updates a key. A suspended key is refused from the next call.',
  access: { role: 'developer', of: 'key' },
  body: z
    .strictObject({ ...fields, suspended: z.boolean(), adviceSnoozedUntil: moment.nullable() })
    .partial(),
  answer: Key,
  reasons: [...changing, 'ADDRESS_LIST_UNFIT', 'EXPIRY_PAST'],
  audit: 'Key {name} changed',
});

export const deleteKey = endpoint('deleteKey', 'DELETE /keys/:keyId', {
  summary: 'Deletes a key. Its secrets stop working at once.',
  access: { role: 'developer', of: 'key' },
  reasons: changing,
  audit: 'Key {name} deleted',
});

export const rotateKey = endpoint('rotateKey', 'POST /keys/:keyId/secret', {
  summary:
    'Gives a key a new secret, which only this response contains. The previous one keeps working for `graceS` seconds, a day by default; 0 ends it at once.',
  access: { role: 'developer', of: 'key' },
  body: z.strictObject({ graceS: z.number().int().min(0).max(keyGrace.maxS).optional() }),
  answer: Key,
  reasons: [...reasons, 'ROLE_TOO_LOW'],
  audit: 'Secret of key {name} rotated',
  makesOld: ['keys'],
});

export const editPreviousSecret = endpoint('editPreviousSecret', 'PATCH /keys/:keyId/previousSecret', {
  summary: 'Extends the previous secret of a key, to at most 30 days from now.',
  access: { role: 'developer', of: 'key' },
  body: z.strictObject({ until: moment.meta({ examples: ['2026-11-21T00:00:00.000Z'] }) }),
  answer: Key,
  reasons: [...changing, 'NO_PREVIOUS_SECRET', 'EXPIRY_PAST'],
  audit: 'Previous secret of key {name} works until {until}',
  makesOld: ['keys'],
});

export const endPreviousSecret = endpoint('endPreviousSecret', 'DELETE /keys/:keyId/previousSecret', {
  summary: 'Ends the previous secret of a key at once.',
  access: { role: 'developer', of: 'key' },
  answer: Key,
  reasons: [...changing, 'NO_PREVIOUS_SECRET'],
  audit: 'Previous secret of key {name} ended',
  makesOld: ['keys'],
});

export const KeyUse = z.object({
  /** The first and last day counted, UTC. */
  from: z.iso.date(),
  to: z.iso.date(),
  calls: z.number().int(),
  capabilities: z.array(
    z.object({
      capability: z.enum(capabilities),
      calls: z.number().int(),
      lastUsedAt: time.optional(),
      /** Days with calls. */
      days: z.array(z.object({ day: z.iso.date(), calls: z.number().int() })),
      /**
       * `unused`: allowed but not used in 30 days, so it can be turned off. `rare`: used on a single day; a separate
       * key is safer. Absent if the key is newer, lacks the capability, or uses it regularly.
       */
      advice: z.enum(['unused', 'rare']).optional(),
    }),
  ),
  /** The latest refused calls, newest first, at most 20; and how many there were. */
  refused: z.object({
    count: z.number().int(),
    latest: z.array(
      z.object({ ts: time, method: z.string(), path: z.string(), reason: z.string(), address: z.string() }),
    ),
  }),
  /** Source addresses, most frequent first, at most 20. */
  addresses: z.array(z.object({ address: z.string(), calls: z.number().int() })),
});
export type KeyUse = z.output<typeof KeyUse>;

export const readKeyUse = endpoint('readKeyUse', 'GET /keys/:keyId/use', {
  summary: 'Counts what a key was used for over the last 30 days, and lists the flags it does not need.',
  access: { role: 'viewer', of: 'key' },
  answer: KeyUse,
  reasons,
});
