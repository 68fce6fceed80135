import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { RolloutCounts, RolloutRow } from './rollout.ts';
import { time } from './shapes.ts';

const count = z.number().int();
const ref = z.object({ id: z.string(), name: z.string() });
/** A bundle may be deleted once no channel points at it; its name stays. */
const bundleRef = ref.extend({ isDeleted: z.literal(true).optional() });
const contents = z.array(z.object({ componentName: z.string(), versionName: z.string() }));
const reasons = ['CHANNEL_NOT_FOUND'] as const;

/** How many bundles that could come next are named. */
export const nextBundlesMax = 3;

export const ChannelFirmware = z.object({
  total: count,
  /**
   * The devices of the channel by where they stand; adds up to `total`. They are measured against the bundle of the
   * unfinished rollout, or the channel’s.
   */
  devices: z.object({
    /** They run the bundle. */
    updated: count,
    updating: count,
    /** Admitted by the rollout while disconnected; they update when they reconnect. */
    waiting: count,
    failed: count,
    /** They cannot update at the moment, or declined. */
    unable: count,
    /** Of the current step, not admitted yet. */
    thisStep: count,
    nextStep: count,
    laterSteps: count,
    /** The rollout does not include them: pinned, suspended, or a downgrade that is left out. */
    leftOut: count,
    /** They run something else; only without an unfinished rollout. */
    other: count,
    neverConnected: count,
  }),
  /** Devices that run the bundle the channel points at. */
  onCurrent: count,
  /** Devices that do not run what they should, and are not updating; listed by `listOffTarget`. */
  offTarget: count,
  /** The contents of the channel’s bundle. */
  current: contents.optional(),
  /** Newer bundles of the class than the one the channel points at, newest first, at most three. */
  next: z.array(
    ref.extend({
      contents,
      createdBy: ref.optional(),
      createdAt: time,
      /** Channels that point at it; at most three. */
      channels: z.array(ref),
      /** How many devices report it as installed. */
      deviceCount: count,
    }),
  ),
});
export type ChannelFirmware = z.output<typeof ChannelFirmware>;

export const readChannelFirmware = endpoint('readChannelFirmware', 'GET /channels/:channelId/firmware', {
  summary:
    'Counts the devices of a channel by where they stand: updated, updating, in a later step, off target. Also names newer bundles that could be rolled out next.',
  access: { role: 'viewer', of: 'channel' },
  answer: ChannelFirmware,
  reasons,
});

/** Why a device does not run what its channel or rollout wants. */
export const offTargetReasons = [
  'failed',
  'lost',
  'retrying',
  'declined',
  'unlisted',
  'pinned',
  'suspended',
  'unknown',
  'disconnected',
] as const;
export type OffTargetReason = (typeof offTargetReasons)[number];

export const OffTarget = z.object({
  deviceId: z.string(),
  tag: z.string(),
  name: z.string(),
  /** The bundle that the device reports as installed. */
  runs: ref.optional(),
  /** What it reports as installed, if anything. */
  components: z.array(z.object({ component: z.string(), version: z.string() })),
  /** `unlisted`: it reports versions that no bundle has. `unknown`: no reason is known yet. */
  reason: z.enum(offTargetReasons),
  /** Since when: of a failure, or a disconnection. */
  since: time.optional(),
  pin: ref.optional(),
  code: z.string().optional(),
  error: z.string().optional(),
  attempts: count,
  /** When the device is told to try again. */
  retryAt: time.optional(),
});
export type OffTarget = z.output<typeof OffTarget>;

export const listOffTarget = endpoint('listOffTarget', 'GET /channels/:channelId/offTarget', {
  summary:
    'Lists the devices of a channel that do not run what they should, each with the reason. Devices that are updating or were never connected are not listed.',
  access: { role: 'viewer', of: 'channel' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['reason'], default: 'reason:asc' },
  answer: z.array(OffTarget),
  reasons,
});

export const ChannelRun = z.object({
  /** Absent: the channel pointed at no bundle. */
  bundle: bundleRef.optional(),
  contents,
  /** When the channel was pointed at it. Absent: its rollout ended before that. */
  from: time.optional(),
  /** Until another bundle came. Absent: it is the current one. */
  until: time.optional(),
  /** When it was pointed at the bundle, or its rollout ended. */
  at: time,
  by: ref.optional(),
  rollout: RolloutRow.pick({
    id: true,
    state: true,
    stepCount: true,
    startedAt: true,
    finishedAt: true,
  })
    .extend({
      counts: RolloutCounts,
      /** A gate paused it at least once. */
      wasPausedByGate: z.boolean(),
      /** It rolled back another rollout. */
      isRollback: z.boolean(),
      /** Another rollout rolled it back. */
      isRolledBack: z.boolean(),
    })
    .optional(),
});
export type ChannelRun = z.output<typeof ChannelRun>;

export const listChannelRuns = endpoint('listChannelRuns', 'GET /channels/:channelId/runs', {
  summary:
    'Lists the bundles that a channel has pointed at and the rollouts that ended before, newest first, with their failures.',
  access: { role: 'viewer', of: 'channel' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['at'], default: 'at:desc' },
  answer: z.array(ChannelRun),
  reasons,
});
