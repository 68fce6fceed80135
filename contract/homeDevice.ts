import { z } from 'zod';
import { DeviceRow } from './device.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { time } from './shapes.ts';

const reasons = ['HOME_NOT_FOUND'] as const;

export const HomeDevice = DeviceRow.extend({
  /** Since when the device belongs to this home; members see nothing older. */
  ownedSince: time,
  claimedBy: z.object({ id: z.string(), name: z.string() }).optional(),
  /** `claim`: by its claim code. `onDemand`: created by the app. `added`: by a developer or a back end. */
  claimedHow: z.enum(['claim', 'onDemand', 'added']),
});
export type HomeDevice = z.output<typeof HomeDevice>;

/** A released device can be claimed again, only with this code. */
export const Released = z.object({
  deviceId: z.string(),
  claimCode: z.string(),
  /** The new key, if the key was rotated. */
  apiKey: z.string().optional(),
});
export type Released = z.output<typeof Released>;

export const listHomeDevices = endpoint('listHomeDevices', 'GET /homes/:homeId/devices', {
  summary: 'Lists the devices of a home, with who claimed each one and when.',
  access: { role: 'viewer', of: 'home' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['name', 'ownedSince'], default: 'name:asc', whole: true },
  answer: z.array(HomeDevice),
  reasons,
  capability: 'canAdmin',
});

export const addHomeDevice = endpoint('addHomeDevice', 'POST /homes/:homeId/devices', {
  summary: 'Adds a device that is not in a home yet, without its claim code.',
  access: { role: 'developer', of: 'home' },
  body: z.strictObject({ deviceId: z.string().max(64) }),
  answer: HomeDevice,
  reasons: [...reasons, 'ROLE_TOO_LOW', 'DEVICE_NOT_FOUND', 'DEVICE_CLAIMED', 'HOME_FULL'],
  audit: 'Device {deviceId} added to home {homeId}',
  makesOld: ['homes', 'devices', 'users', 'stats'],
  capability: 'canAdmin',
});

export const releaseHomeDevice = endpoint('releaseHomeDevice', 'DELETE /homes/:homeId/devices/:deviceId', {
  summary:
    'Releases a device from its home: the data from that home is erased, and the new claim code is returned.',
  access: { role: 'developer', of: 'home' },
  answer: Released,
  reasons: [...reasons, 'ROLE_TOO_LOW', 'STALE', 'DEVICE_NOT_FOUND'],
  audit: 'Device {deviceId} released from home {homeId}',
  makesOld: ['homes', 'devices', 'users', 'stats'],
  capability: 'canAdmin',
});

export const Resale = z.object({
  /** The export of the home and the events of its devices; read it with `GET /users/{ownerId}/exports/{id}`. */
  exportId: z.string(),
  devices: z.array(Released),
});
export type Resale = z.output<typeof Resale>;

export const prepareResale = endpoint('prepareResale', 'POST /homes/:homeId/resale', {
  summary:
    'Exports, erases and releases every device of a home, each with a new claim code for the next owner. With `rotateKeys`, each device also gets a new key: its old one works for 24 hours.',
  access: { role: 'developer', of: 'home' },
  body: z.strictObject({ rotateKeys: z.boolean().optional() }),
  answer: Resale,
  reasons: [...reasons, 'ROLE_TOO_LOW'],
  audit: 'Devices of home {name} prepared for resale',
  makesOld: ['homes', 'devices', 'users', 'stats'],
  capability: 'canAdmin',
});
