import { z } from 'zod';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { descriptionMax, revision, text, time } from './shapes.ts';

export const channelsMax = 500;
/** The name of the channel that devices follow by default; a device stores it as an empty string. */
export const defaultChannel = 'stable';

export const Channel = z.object({
  id: z.string(),
  projectId: z.string(),
  /** Devices refer to the channel by its name, so it cannot change. */
  name: z.string(),
  description: z.string(),
  deviceClass: z.string(),
  bundleId: z.string().optional(),
  bundleName: z.string().optional(),
  /** Since when the channel points at the bundle. */
  bundleSince: time.optional(),
  /** How many devices follow the channel; 10,000 means 10,000 or more. */
  deviceCount: z.number().int(),
  /** Devices of the channel whose update failed or was lost; 1,000 means 1,000 or more. */
  failedCount: z.number().int(),
  /** The unfinished rollout of the channel. */
  rolloutId: z.string().optional(),
  createdAt: time,
  revision,
});
export type Channel = z.output<typeof Channel>;

const ofProject = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = ['CHANNEL_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;

export const listChannels = endpoint('listChannels', 'GET /channels', {
  summary:
    'Lists the channels of a project. A channel assigns a bundle to the devices of a class that follow it.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    projectId: z.string().max(64),
    deviceClass: z.string().max(idMax).optional(),
    ...pagingQuery,
  }),
  list: { sortBy: ['name', 'createdAt', 'deviceClass'], default: 'name:asc' },
  answer: z.array(Channel),
  reasons: ofProject,
});

/** A channel as a choice. */
export const ChannelName = Channel.pick({ id: true, name: true, deviceClass: true });
export type ChannelName = z.output<typeof ChannelName>;

export const listChannelNames = endpoint('listChannelNames', 'GET /channels/names', {
  summary: 'Lists the names of all channels of a project: a small answer for choices and filters.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    projectId: z.string().max(64),
    deviceClass: z.string().max(idMax).optional(),
  }),
  answer: z.array(ChannelName),
  reasons: ofProject,
});

export const createChannel = endpoint('createChannel', 'POST /channels', {
  summary:
    'Creates a channel for a device class. Devices follow the channel `stable` unless they are moved to another.',
  access: { role: 'developer', of: 'project' },
  tokenScope: 'firmware',
  body: z.strictObject({
    projectId: z.string().max(64),
    name: z.string().max(idMax).regex(chosenIdPattern).optional(),
    description: text(descriptionMax).optional(),
    deviceClass: z.string().max(idMax),
    bundleId: z.string().max(64).optional(),
  }),
  answer: Channel,
  reasons: [
    ...ofProject,
    'ROLE_TOO_LOW',
    'DEVICE_CLASS_NOT_FOUND',
    'BUNDLE_NOT_FOUND',
    'NAME_TAKEN',
    'TOO_MANY_CHANNELS',
  ],
  audit: 'Channel {name} of class {deviceClass} created',
  makesOld: ['bundles', 'devices'],
});

export const readChannel = endpoint('readChannel', 'GET /channels/:channelId', {
  summary: 'Retrieves a channel.',
  access: { role: 'viewer', of: 'channel' },
  answer: Channel,
  reasons,
});

export const editChannel = endpoint('editChannel', 'PATCH /channels/:channelId', {
  summary:
    'Updates a channel. A new bundle is offered to all its devices at once; to go in steps, create a rollout. Setting the bundle to null withdraws the offer.',
  access: { role: 'developer', of: 'channel' },
  tokenScope: 'firmware',
  body: z
    .strictObject({
      description: text(descriptionMax),
      bundleId: z.string().max(64).nullable(),
      /** True: stops the unfinished rollout of the channel. */
      endRollout: z.boolean(),
    })
    .partial(),
  answer: Channel,
  reasons: [...changing, 'BUNDLE_NOT_FOUND', 'ROLLOUT_RUNNING'],
  audit: 'Channel {name} of class {deviceClass} updated',
  makesOld: ['bundles', 'devices', 'rollouts'],
});

export const deleteChannel = endpoint('deleteChannel', 'DELETE /channels/:channelId', {
  summary:
    'Deletes a channel that no device follows. If devices do, `context` counts them and names the first few.',
  access: { role: 'developer', of: 'channel' },
  tokenScope: 'firmware',
  reasons: [...changing, 'DEPENDENCY_RESTRICTION', 'ROLLOUT_RUNNING'],
  audit: 'Channel {name} of class {deviceClass} deleted',
  makesOld: ['bundles'],
});

const count = z.number().int();

/** The effect of pointing a channel at a bundle. `up`, `unchanged`, `down` and `notReached` add up to `total`. */
export const ChannelImpact = z.object({
  total: count,
  /** Devices that would get the bundle and currently run none or an older one. */
  up: count,
  /** Devices that already run the bundle. */
  unchanged: count,
  /** Devices that run a bundle that was created later. */
  down: count,
  /** Devices that would not get the bundle: pinned to a bundle, or suspended. */
  notReached: count,
  pinned: count,
  suspended: count,
  /** Devices in `up` and `down` that are disconnected; they update when they reconnect. */
  offline: count,
  /** Devices in `offline` that have been disconnected for 30 days or more. */
  awayFor30Days: count,
  /** Devices in `down` that run a higher security version, and will therefore refuse the downgrade. */
  refusesDowngrade: count,
  /** By the bundle that devices currently run, most devices first, at most 20. */
  from: z.array(z.object({ bundleId: z.string().optional(), bundleName: z.string().optional(), count })),
  components: z.array(
    z.object({
      componentName: z.string(),
      /** The version in the channel's current bundle. */
      from: z.string().optional(),
      to: z.string().optional(),
      sizeBytes: count,
      /** How many devices would download it, because they run another version of the component. */
      devices: count,
    }),
  ),
  /** Devices whose config violates the config schema of a version in the bundle; at most 5 of them are named. */
  config: z.object({
    checked: count,
    /** False: not all were checked within the time limit. */
    complete: z.boolean(),
    violating: count,
    examples: z.array(z.object({ deviceId: z.string(), tag: z.string(), text: z.string() })),
  }),
});
export type ChannelImpact = z.output<typeof ChannelImpact>;

export const readChannelImpact = endpoint('readChannelImpact', 'GET /channels/:channelId/impact', {
  summary: 'Counts how assigning a bundle to a channel would affect its devices, without assigning it.',
  access: { role: 'viewer', of: 'channel' },
  query: z.strictObject({ bundleId: z.string().max(64) }),
  answer: ChannelImpact,
  reasons: [...reasons, 'BUNDLE_NOT_FOUND'],
});
