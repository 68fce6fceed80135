import { z } from 'zod';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { claimCodeMax, claimCodeMin } from '#rules/devices/claimCode.ts';
import { flappingHours } from '#rules/devices/flapping.ts';
import { dayS } from '#rules/time/durations.ts';
import { endpoint } from './endpoint.ts';
import { homeId } from './home.ts';
import { cursorLike, pagingQuery } from './paging.ts';
import { descriptionMax, line, nameMax, projectUnless, revision, text, time } from './shapes.ts';

export const connectionStatuses = ['connected', 'disconnected', 'never'] as const;
/** A device is in exactly one of these states: suspended, or else connected, disconnected or never connected. */
export const deviceStates = [...connectionStatuses, 'suspended'] as const;
export type DeviceState = (typeof deviceStates)[number];
/**
 * Problems of a device: open alerts, an update that failed and is not retried, silence for longer than usual, and other
 * recent problems.
 */
export const deviceSignals = [
  'alert',
  'updateFailed',
  'commandFailed',
  'quarantine',
  'flapping',
  'quiet',
] as const;
export type DeviceSignal = (typeof deviceSignals)[number];
/**
 * How far back a problem counts as recent. An alert counts while it is open, a failed update until the device's target
 * changes, and silence until the next message.
 */
export const signalHours: Record<Exclude<DeviceSignal, 'alert' | 'updateFailed' | 'quiet'>, number> = {
  commandFailed: 24,
  quarantine: 24,
  flapping: flappingHours,
};
export const tagMax = 100;

/** The current or last connection. Derived from connections only; it cannot be written. */
export const Connection = z.object({
  /** When the device connected or disconnected. Absent if it never connected. */
  since: time.optional(),
  /** The current time while connected, otherwise the end of the last connection. */
  lastSeen: time.optional(),
  /** When the last message was received. */
  lastMessageAt: time.optional(),
  /** Why the last connection ended. */
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
  /** An empty string means `stable`. */
  channel: z.string(),
  bundleInstalled: z.string().optional(),
  bundleInstalledName: z.string().optional(),
  /** The bundle that the device is pinned to, regardless of its channel and rollouts. */
  bundlePinned: z.string().optional(),
  bundlePinnedName: z.string().optional(),
  /** Absent once the device is claimed: a claim code works once. */
  claimCode: z.string().optional(),
  claimed: z.boolean(),
  /** Absent unless the device is claimed. */
  home: z
    .object({
      id: z.string(),
      name: z.string(),
      owner: z.object({ id: z.string(), name: z.string(), email: z.string().optional() }).optional(),
      /** Since when the device belongs to the home. */
      since: time,
      claimedBy: z.object({ id: z.string(), name: z.string() }).optional(),
      claimedHow: z.enum(['claim', 'onDemand', 'added']),
    })
    .optional(),
  suspended: z.boolean(),
  connectionStatus: z.enum(connectionStatuses),
  connection: Connection,
  /** Only in the answer that creates the device, and in an export. */
  apiKey: z.string().optional(),
  /** The last four characters of the key, to tell keys apart. */
  apiKeyEnd: z.string(),
  /** False: only a hash of the key is stored, so nobody can read it. */
  apiKeyReadable: z.boolean(),
  /** Until when the previous key is accepted as well. */
  previousKeyUntil: time.optional(),
  creationTime: time,
  revision,
});
export type Device = z.output<typeof Device>;

/** The subset of a device that lists return, to keep a page of a hundred small. */
export const DeviceRow = Device.pick({
  id: true,
  tag: true,
  name: true,
  deviceClass: true,
  channel: true,
  bundleInstalled: true,
  bundleInstalledName: true,
  bundlePinned: true,
  claimed: true,
  suspended: true,
  connectionStatus: true,
  connection: true,
  creationTime: true,
  revision: true,
});
export type DeviceRow = z.output<typeof DeviceRow>;

/** Empty: no tag. A tag of only spaces is rejected. */
const tag = z
  .string()
  .refine(text => text === '' || text.trim() !== '')
  .pipe(line(tagMax, 0));
const yesOrNo = z.union([z.enum(['true', 'false']).transform(text => text === 'true'), z.boolean()]);
const channel = z.union([z.literal(''), z.string().max(idMax).regex(chosenIdPattern)]);
const deviceId = z.string().regex(/^dev_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
const claimCode = z.string().regex(new RegExp(`^[A-Za-z0-9]{${claimCodeMin},${claimCodeMax}}$`));

/** Selects devices of a project. All given conditions must match. */
export const deviceFilters = {
  deviceClass: z.string().max(idMax).optional(),
  connectionStatus: z.enum(connectionStatuses).optional(),
  state: z.enum(deviceStates).optional(),
  signal: z.enum(deviceSignals).optional(),
  claimed: yesOrNo.optional(),
  suspended: yesOrNo.optional(),
  channel: channel.optional(),
  bundleInstalled: z.string().max(64).optional(),
};

const reasons = ['DEVICE_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;
const ofProjectReasons = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;

export const listDevices = endpoint('listDevices', 'GET /devices', {
  tokenScope: 'any',
  capability: 'canAdmin',
  summary:
    'Lists the devices of a project or of a home: send `projectId` or `homeId`. `search` matches id, tag, name and description. `state` is `suspended`, or else the connection status; `signal` selects devices with recent trouble. To page deep into a large list, send the `Next-Cursor` header of the previous page as `cursor`; `skip` then only sets the position shown in `Content-Range`. A page can be shorter than requested and still have a `Next-Cursor`: the time limit for the search was reached.',
  access: { role: 'viewer', of: 'deviceList' },
  query: z.strictObject({
    projectId: projectUnless('homeId'),
    homeId: homeId.optional(),
    ...deviceFilters,
    ...pagingQuery,
    cursor: cursorLike(
      'eyJvcmRlciI6ImNyZWF0aW9uVGltZTp0cnVlIiwia2V5IjoiZGV2XzAxa2FnNG04eTJlNnR2cDBybTduNHM5Y3FkIiwiaWQiOiJkZXZfMDFrYWc0bTh5MmU2dHZwMHJtN240czljcWQifQ',
    ),
  }),
  list: { sortBy: ['creationTime', 'tag', 'name', 'lastSeen'], default: 'creationTime:desc' },
  answer: z.array(DeviceRow),
  reasons: [...ofProjectReasons, 'HOME_NOT_FOUND'],
});

export const createDevice = endpoint('createDevice', 'POST /devices', {
  capability: 'canAdmin',
  summary:
    'Creates a device. If the project does not store device keys, only this response contains the API key.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({
    projectId: z.string().max(64),
    /** Whoever creates a single device names it; only an edit takes the tag away. */
    tag: z.string().min(1).pipe(tag),
    deviceClass: z.string().max(idMax),
    channel: channel.optional(),
    bundleInstalled: z.string().max(64).optional(),
    name: line(nameMax, 0).optional(),
    description: text(descriptionMax).optional(),
  }),
  answer: Device,
  reasons: [
    ...ofProjectReasons,
    'ROLE_TOO_LOW',
    'DEVICE_CLASS_NOT_FOUND',
    'CHANNEL_NOT_FOUND',
    'BUNDLE_NOT_FOUND',
  ],
  audit: 'Device {id} created',
  makesOld: ['deviceClasses', 'stats'],
});

export const readDevice = endpoint('readDevice', 'GET /devices/:deviceId', {
  tokenScope: 'any',
  capability: 'canAdmin',
  summary: 'Retrieves a device.',
  access: { role: 'viewer', of: 'device' },
  answer: Device,
  reasons,
});

export const editDevice = endpoint('editDevice', 'PATCH /devices/:deviceId', {
  capability: 'canAdmin',
  summary:
    'Updates a device. Suspending it closes its connections within a second. Setting the claim code to null generates a new one; setting `bundlePinned` to null lets the device follow its rollout and channel again.',
  access: { role: 'developer', of: 'device' },
  body: z
    .strictObject({
      tag,
      name: line(nameMax, 0),
      description: text(descriptionMax),
      claimCode: claimCode.nullable(),
      channel,
      suspended: z.boolean(),
      bundlePinned: z.string().max(64).nullable(),
    })
    .partial(),
  answer: Device,
  reasons: [...changing, 'CLAIM_CODE_TAKEN', 'DEVICE_CLAIMED', 'CHANNEL_NOT_FOUND', 'BUNDLE_NOT_FOUND'],
  audit: 'Device {id} updated',
  makesOld: ['deviceClasses', 'stats'],
});

export const deleteDevice = endpoint('deleteDevice', 'DELETE /devices/:deviceId', {
  capability: 'canAdmin',
  summary: 'Deletes a device and all its data except its audit log entries.',
  access: { role: 'developer', of: 'device' },
  reasons: changing,
  audit: 'Device {id} deleted',
  makesOld: ['deviceClasses', 'stats'],
});

export const readDeviceKey = endpoint('readDeviceKey', 'GET /devices/:deviceId/apiKey', {
  summary: 'Retrieves the API key of a device. Each read is recorded in the audit log.',
  access: { role: 'developer', of: 'device' },
  answer: z.object({ apiKey: z.string() }),
  reasons: [...reasons, 'ROLE_TOO_LOW', 'KEY_FORGOTTEN'],
  audit: 'Key of device {id} read',
});

export const rotateDeviceKey = endpoint('rotateDeviceKey', 'POST /devices/:deviceId/apiKey', {
  summary:
    'Rotates the API key of a device. The old key keeps working for `graceS` seconds; with 0, its connections are closed immediately.',
  access: { role: 'developer', of: 'device' },
  body: z.strictObject({
    graceS: z
      .number()
      .int()
      .min(0)
      .max(30 * dayS),
  }),
  answer: z.object({ apiKey: z.string(), previousKeyUntil: time.optional() }),
  reasons: [...reasons, 'ROLE_TOO_LOW'],
  audit: 'Key of device {id} rotated',
  makesOld: ['devices'],
});

export const createTemporaryKey = endpoint('createTemporaryKey', 'GET /devices/:deviceId/temporaryKey', {
  summary: 'Creates a key that can connect as this device for one hour.',
  access: { role: 'developer', of: 'device' },
  answer: z.object({ token: z.string(), expirationTime: time }),
  reasons: [...reasons, 'ROLE_TOO_LOW', 'DEVICE_SUSPENDED'],
  audit: 'Temporary key for device {id} created',
});

export const deviceIdShape = deviceId;
export const claimCodeShape = claimCode;
export const channelShape = channel;
export const tagShape = tag;
