import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { rolloutSettings } from './rollout.ts';
import { time } from './shapes.ts';

const count = z.number().int();
const ref = z.object({ id: z.string(), name: z.string() });
const reasons = ['ROLLOUT_NOT_FOUND'] as const;

export const deviceOutcomes = [
  'waiting',
  'active',
  'updated',
  'failed',
  'unable',
  'declined',
  'left',
] as const;

export const RolloutDevice = z.object({
  deviceId: z.string(),
  tag: z.string(),
  name: z.string(),
  step: count,
  outcome: z.enum(deviceOutcomes),
  /** The state of the update; absent until its offer is due. */
  state: z.string().optional(),
  percent: z.number().optional(),
  code: z.string().optional(),
  error: z.string().optional(),
  admittedAt: time,
  settledAt: time.optional(),
});
export type RolloutDevice = z.output<typeof RolloutDevice>;

export const listRolloutDevices = endpoint('listRolloutDevices', 'GET /rollouts/:rolloutId/devices', {
  summary: 'Lists the devices a rollout has admitted.',
  access: { role: 'viewer', of: 'rollout' },
  query: z.strictObject({
    outcome: z.enum(deviceOutcomes).optional(),
    code: z
      .string()
      .max(64)
      .meta({ examples: ['no_space'] })
      .optional(),
    ...pagingQuery,
  }),
  list: { sortBy: ['admittedAt'], default: 'admittedAt:desc' },
  answer: z.array(RolloutDevice),
  reasons,
});

export const RolloutReport = z.object({
  /** The failure gate, in percent. `lower` and `upper` bound the true share with 99 % confidence. */
  failures: z.object({
    results: count,
    failures: count,
    seen: z.number(),
    lower: z.number(),
    upper: z.number(),
    threshold: z.number(),
    /** How many failures would pause the rollout at this number of results. */
    pausesAt: count,
  }),
  /**
   * The other gates, in percent of devices; absent: not enough data yet. The rollout is paused while any gate is
   * closed. Presence: devices that were disconnected ten minutes after the update. Reboots: devices that reconnected
   * after an unclean end. Both for updated devices, and for devices not admitted, at the same times.
   */
  presence: z.object({ updated: z.number(), others: z.number(), isOpen: z.boolean() }).optional(),
  reboots: z.object({ updated: z.number(), others: z.number(), isOpen: z.boolean() }).optional(),
  stalled: z.object({ percent: z.number(), isOpen: z.boolean() }).optional(),
  /** Failures by cause, most frequent first. */
  causes: z.array(
    z.object({
      code: z.string(),
      failure: z.string(),
      /** The error that most of the devices reported. */
      error: z.string().optional(),
      devices: count,
      counts: z.boolean(),
    }),
  ),
  /** Oldest first, at most 200. */
  progress: z.array(z.object({ at: time, admitted: count, updated: count, active: count, failed: count })),
  /** What happened, newest first, at most 200. */
  events: z.array(z.object({ at: time, kind: z.string(), text: z.string(), actor: ref.optional() })),
});
export type RolloutReport = z.output<typeof RolloutReport>;

export const readRolloutReport = endpoint('readRolloutReport', 'GET /rollouts/:rolloutId/report', {
  summary: 'Returns the gates of a rollout, its failures by cause, its progress over time and its history.',
  access: { role: 'viewer', of: 'rollout' },
  answer: RolloutReport,
  reasons,
});

export const RolloutTryOut = z.object({
  total: count,
  steps: z.array(
    z.object({
      percent: z.number(),
      /** Devices admitted by the end of the step. */
      devices: count,
      /** Those of `devices` that were connected at least once in the last seven days. */
      seenLastWeek: count,
      /**
       * Hours after the start at which the step would have been settled, given the connections of the last seven days.
       * Absent: not within that time.
       */
      settledAfterH: z.number().optional(),
      /** The first few devices. */
      examples: z.array(z.object({ deviceId: z.string(), tag: z.string(), name: z.string() })),
    }),
  ),
  /** The share of the devices that was connected at least once a day. */
  onlineDailyPercent: z.number(),
});
export type RolloutTryOut = z.output<typeof RolloutTryOut>;

export const tryRollout = endpoint('tryRollout', 'POST /rollouts/tryOut', {
  summary:
    'Predicts which devices a rollout would update and when, from the connections of the last seven days. Nothing is changed.',
  access: { role: 'viewer', of: 'channel' },
  body: z.strictObject({
    channelId: z.string().max(64),
    bundleId: z.string().max(64),
    steps: rolloutSettings.steps.optional(),
    rate: rolloutSettings.rate.optional(),
    soakS: rolloutSettings.soakS.optional(),
    leavesOutDowngrades: rolloutSettings.leavesOutDowngrades.optional(),
  }),
  answer: RolloutTryOut,
  reasons: ['CHANNEL_NOT_FOUND', 'BUNDLE_NOT_FOUND', 'STEPS_UNFIT'],
  audit: null,
});
