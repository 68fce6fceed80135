import { z } from 'zod';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { line, rangeMoment, revision, text, time } from './shapes.ts';

export const connectionStatuses = ['connected', 'disconnected', 'never'] as const;
export const deviceKeyLength = 32;
export const claimCodeLength = 10;
export const temporaryKeyTtlS = 3600;
/** Under so many client ids a device may be connected at once. */
export const connectionsMax = 4;

/** How it is connected, or was last. Derived from connections alone; nobody can write it. */
export const Connection = z.object({
  /** Since when it is connected, or disconnected. Absent while it never was. */
  since: time.optional(),
  /** Now while it is connected; else when its last connection ended. */
  lastSeen: time.optional(),
  /** When its last message came in. */
  lastMessageAt: time.optional(),
  /** Why its last connection ended. */
  reason: z.string().optional(),
  address: z.string().optional(),
  protocol: z.enum(['mqtt', 'websocket', 'http']).optional(),
});

export const Device = z.object({
  id: z.string(),
  projectId: z.string(),
  tag: z.string(),
  name: z.string(),
  description: z.string(),
  deviceClass: z.string(),
  /** Empty stands for `stable`. */
  channel: z.string(),
  bundleInstalled: z.string().optional(),
  /** Absent once it is claimed: a claim code is used once. */
  claimCode: z.string().optional(),
  claimed: z.boolean(),
  suspended: z.boolean(),
  connectionStatus: z.enum(connectionStatuses),
  connection: Connection,
  /** Only in the answer that creates the device, and in an export. */
  apiKey: z.string().optional(),
  /** The last four characters of the key, to tell keys apart by. */
  apiKeyEnd: z.string(),
  /** False: the key is kept as a hash and can be shown to nobody. */
  apiKeyReadable: z.boolean(),
  /** Until when the key before this one is taken as well. */
  previousKeyUntil: time.optional(),
  creationTime: time,
  revision,
});
export type Device = z.output<typeof Device>;

/** The rows of a list know less: a page of a hundred is to stay small. */
export const DeviceRow = Device.pick({
  id: true,
  tag: true,
  name: true,
  deviceClass: true,
  channel: true,
  bundleInstalled: true,
  claimed: true,
  suspended: true,
  connectionStatus: true,
  connection: true,
  creationTime: true,
  revision: true,
});
export type DeviceRow = z.output<typeof DeviceRow>;

const yesOrNo = z.union([z.enum(['true', 'false']).transform(text => text === 'true'), z.boolean()]);
const channel = z.union([z.literal(''), z.string().max(idMax).regex(chosenIdPattern)]);
const deviceId = z.string().regex(/^dev_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
const claimCode = z.string().regex(/^[A-Za-z0-9]{6,32}$/);

/** Which devices of a project are meant. All given conditions must hold. */
export const deviceFilters = {
  deviceClass: z.string().max(idMax).optional(),
  connectionStatus: z.enum(connectionStatuses).optional(),
  claimed: yesOrNo.optional(),
  suspended: yesOrNo.optional(),
  channel: channel.optional(),
  bundleInstalled: z.string().max(64).optional(),
};

const reasons = ['DEVICE_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;
const ofProjectReasons = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;

export const listDevices = endpoint('listDevices', 'GET /devices', {
  summary:
    'Lists devices of a project. `search` looks in id, tag, name and description. For pages far down send the header `Next-Cursor` of the page before as `cursor`; `skip` then only says where the page stands. A page may be shorter than asked for and still have a `Next-Cursor`: there was no time to look further.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    projectId: z.string().max(64),
    homeId: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional(),
    ...deviceFilters,
    ...pagingQuery,
    cursor: z.string().max(1000).optional(),
  }),
  list: { sortBy: ['creationTime', 'tag', 'name', 'lastSeen'], default: 'creationTime:desc' },
  answer: z.array(DeviceRow),
  reasons: ofProjectReasons,
});

/** The header that leads to the page after this one; absent on the last. */
export const nextCursorHeader = 'next-cursor';

export const createDevice = endpoint('createDevice', 'POST /devices', {
  summary:
    'Adds a device. Its API key is in this answer, and in no later one where the project forgets keys.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({
    projectId: z.string().max(64),
    tag: line(100, 0),
    deviceClass: z.string().max(idMax),
    channel: channel.optional(),
    bundleInstalled: z.string().max(64).optional(),
    name: line(200, 0).optional(),
    description: text(2000).optional(),
  }),
  answer: Device,
  reasons: [...ofProjectReasons, 'ROLE_TOO_LOW', 'DEVICE_CLASS_NOT_FOUND'],
  audit: 'Device {id} created',
});

export const readDevice = endpoint('readDevice', 'GET /devices/:deviceId', {
  summary: 'Reads one device.',
  access: { role: 'viewer', of: 'device' },
  answer: Device,
  reasons,
});

export const editDevice = endpoint('editDevice', 'PATCH /devices/:deviceId', {
  summary:
    'Changes a device. Suspending it ends its connections within a second. A claim code that is null is replaced by a new one.',
  access: { role: 'developer', of: 'device' },
  body: z
    .strictObject({
      tag: line(100, 0),
      name: line(200, 0),
      description: text(2000),
      claimCode: claimCode.nullable(),
      channel,
      suspended: z.boolean(),
    })
    .partial(),
  answer: Device,
  reasons: [...changing, 'CLAIM_CODE_TAKEN', 'DEVICE_CLAIMED'],
  audit: 'Device {id} changed',
});

export const deleteDevice = endpoint('deleteDevice', 'DELETE /devices/:deviceId', {
  summary: 'Deletes a device with everything kept of it but its entries in the audit log.',
  access: { role: 'developer', of: 'device' },
  reasons: changing,
  audit: 'Device {id} deleted',
});

export const readDeviceKey = endpoint('readDeviceKey', 'GET /devices/:deviceId/apiKey', {
  summary: 'Reads the API key of a device. That it was read is written to the audit log.',
  access: { role: 'developer', of: 'device' },
  answer: z.object({ apiKey: z.string() }),
  reasons: [...reasons, 'ROLE_TOO_LOW', 'KEY_FORGOTTEN'],
  audit: 'Key of device {id} read',
});

export const rotateDeviceKey = endpoint('rotateDeviceKey', 'POST /devices/:deviceId/apiKey', {
  summary:
    'Gives a device a new API key. The old one is taken for `graceS` seconds more; with 0 its connections end at once.',
  access: { role: 'developer', of: 'device' },
  body: z.strictObject({
    graceS: z
      .number()
      .int()
      .min(0)
      .max(30 * 86_400),
  }),
  answer: z.object({ apiKey: z.string(), previousKeyUntil: time.optional() }),
  reasons: [...reasons, 'ROLE_TOO_LOW'],
  audit: 'Key of device {id} rotated',
});

export const createTemporaryKey = endpoint('createTemporaryKey', 'GET /devices/:deviceId/temporaryKey', {
  summary: 'Makes a key that connects as this device for one hour.',
  access: { role: 'developer', of: 'device' },
  answer: z.object({ token: z.string(), expirationTime: time }),
  reasons: [...reasons, 'ROLE_TOO_LOW', 'DEVICE_SUSPENDED'],
  audit: 'Temporary key for device {id} made',
});

export const OpenConnection = z.object({
  /** Counts up over all connections of the platform: a later connection has a greater number. */
  number: z.number().int(),
  clientId: z.string(),
  protocol: z.enum(['mqtt', 'websocket', 'http']),
  address: z.string(),
  since: time,
  /** Made with a temporary key, as the simulator does. */
  temporary: z.boolean(),
});
export type OpenConnection = z.output<typeof OpenConnection>;

export const listConnections = endpoint('listConnections', 'GET /devices/:deviceId/connections', {
  summary: 'Lists the connections a device has open just now.',
  access: { role: 'viewer', of: 'device' },
  answer: z.array(OpenConnection),
  reasons,
});

export const Presence = z.object({
  /** Whether it was connected when the time asked for began. */
  connectedAtBegin: z.boolean(),
  /** Every change after that, oldest first. */
  changes: z.array(z.object({ at: time, connected: z.boolean(), reason: z.string().optional() })),
  /** True: there were more changes than are answered; the oldest of them are left out. */
  truncated: z.boolean(),
});
export type Presence = z.output<typeof Presence>;

export const readPresence = endpoint('readPresence', 'GET /devices/:deviceId/presence', {
  summary: 'When a device was connected between two times, of the last 30 days.',
  access: { role: 'viewer', of: 'device' },
  query: z.strictObject({ begin: rangeMoment, end: rangeMoment }),
  answer: Presence,
  reasons: [...reasons, 'INVALID_RANGE'],
});

export const healthVerdicts = ['ok', 'warn', 'fail', 'unknown'] as const;

export const DeviceHealth = z.object({
  /** Layer by layer from the platform to the device; the first that is not well is where to look. */
  layers: z.array(
    z.object({
      id: z.enum([
        'gateway',
        'suspended',
        'key',
        'connected',
        'messages',
        'subscriptions',
        'rate',
        'schema',
        'commands',
      ]),
      verdict: z.enum(healthVerdicts),
      text: z.string(),
      /** What to do about it. */
      advice: z.string().optional(),
      at: time.optional(),
    }),
  ),
});
export type DeviceHealth = z.output<typeof DeviceHealth>;

export const checkDevice = endpoint('checkDevice', 'GET /devices/:deviceId/health', {
  summary: 'Walks the layers between a device and the platform and says which of them is at fault.',
  access: { role: 'viewer', of: 'device' },
  answer: DeviceHealth,
  reasons,
});

export const deviceIdShape = deviceId;
export const claimCodeShape = claimCode;
export const channelShape = channel;
