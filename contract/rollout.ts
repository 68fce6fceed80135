import { z } from 'zod';
import { dayS } from '#rules/time/durations.ts';
import { idsMax } from './deviceBulk.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { revision, time } from './shapes.ts';

export const rolloutStates = ['draft', 'running', 'paused', 'finished', 'stopped', 'superseded'] as const;
export type RolloutState = (typeof rolloutStates)[number];
export const unfinished: readonly RolloutState[] = ['draft', 'running', 'paused'];
export const rolloutGates = ['failures', 'presence', 'reboots', 'stalled'] as const;
export type RolloutGate = (typeof rolloutGates)[number];
export const stepsMax = 20;

const Step = z.strictObject({
  /**
   * The percentage of the channel that is admitted by the end of the step; increases from step to step. 0: only chosen
   * devices.
   */
  percent: z.number().min(0).max(100),
  /** `hand`: the step waits until somebody starts it. */
  startsBy: z.enum(['itself', 'hand']),
});
export type RolloutStep = z.output<typeof Step>;

export const rolloutSettings = {
  steps: z
    .array(Step)
    .min(1)
    .max(stepsMax)
    .meta({
      examples: [
        [
          { percent: 10, startsBy: 'itself' },
          { percent: 100, startsBy: 'hand' },
        ],
      ],
    }),
  /** Devices per minute; null: no limit. */
  rate: z.number().int().min(1).max(100_000).nullable(),
  /** Each device waits for a random part of this time before it is offered the bundle. */
  delayS: z.number().int().min(0).max(dayS),
  soakS: z
    .number()
    .int()
    .min(0)
    .max(30 * dayS),
  failurePercent: z.number().min(0.1).max(100),
  gates: z
    .array(z.enum(rolloutGates))
    .max(rolloutGates.length)
    .refine(gates => new Set(gates).size === gates.length),
  /**
   * True: devices that run a bundle created later are not admitted. When the rollout finishes, they follow the channel
   * like all others.
   */
  leavesOutDowngrades: z.boolean(),
};

const count = z.number().int();
const ref = z.object({ id: z.string(), name: z.string() });
/** A bundle may be deleted once the rollout is over; its name stays. */
const bundleRef = ref.extend({ isDeleted: z.literal(true).optional() });

/** Devices by progress. The outcomes add up to `admitted`. */
export const RolloutCounts = z.object({
  admitted: count,
  updated: count,
  /** Updating; the states of these devices are counted below. */
  active: count,
  /** Disconnected since they were admitted. They update when they reconnect, and never count as failures. */
  waiting: count,
  failed: count,
  /** Cannot update at the moment: no space, low battery. */
  unable: count,
  declined: count,
  /** Pinned or moved to another channel since they were admitted. */
  left: count,
  /** This and the following are part of `active`. */
  offered: count,
  downloading: count,
  verifying: count,
  ready: count,
  installing: count,
  rebooting: count,
});
export type RolloutCounts = z.output<typeof RolloutCounts>;

export const Rollout = z.object({
  id: z.string(),
  projectId: z.string(),
  deviceClass: z.string(),
  channel: ref,
  bundle: bundleRef,
  fromBundle: bundleRef.optional(),
  state: z.enum(rolloutStates),
  /** The rollout that this one rolls back. */
  rollsBack: z.string().optional(),
  ...rolloutSettings,
  steps: z.array(
    Step.extend({
      /** How many devices of the channel belong to the step. */
      devices: count,
      startedAt: time.optional(),
      endedAt: time.optional(),
    }),
  ),
  /** The current step, starting at 0. */
  step: z.number().int(),
  stepStartedAt: time.optional(),
  /** Since when the step is settled; it ends `soakS` later. */
  settledAt: time.optional(),
  /**
   * From this time on, the next step waits until somebody starts it: the current step has settled and soaked. Absent:
   * it does not wait, or not yet.
   */
  waitsFrom: time.optional(),
  pausedBy: z.union([z.literal('person'), z.enum(rolloutGates)]).optional(),
  /** The person who paused it. */
  pauser: ref.optional(),
  pauseCause: z.string().optional(),
  counts: RolloutCounts,
  createdBy: ref.optional(),
  createdAt: time,
  startedAt: time.optional(),
  finishedAt: time.optional(),
  revision,
});
export type Rollout = z.output<typeof Rollout>;

export const RolloutRow = Rollout.pick({
  id: true,
  deviceClass: true,
  channel: true,
  bundle: true,
  fromBundle: true,
  state: true,
  step: true,
  settledAt: true,
  waitsFrom: true,
  pausedBy: true,
  pauser: true,
  pauseCause: true,
  createdBy: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
}).extend({ stepCount: count, counts: RolloutCounts });
export type RolloutRow = z.output<typeof RolloutRow>;

const ofProject = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = ['ROLLOUT_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE', 'ROLLOUT_STATE'] as const;
const makesOld = ['rollouts', 'channels', 'bundles', 'devices', 'findings'];

export const listRollouts = endpoint('listRollouts', 'GET /rollouts', {
  summary: 'Lists the rollouts of a project, newest first.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    projectId: z.string().max(64),
    channelId: z.string().max(64).optional(),
    state: z.enum([...rolloutStates, 'unfinished']).optional(),
    ...pagingQuery,
  }),
  list: { sortBy: ['createdAt'], default: 'createdAt:desc' },
  answer: z.array(RolloutRow),
  reasons: ofProject,
});

export const createRollout = endpoint('createRollout', 'POST /rollouts', {
  summary:
    'Creates a rollout, which moves the devices of a channel to a bundle in steps and pauses automatically when a gate closes. Omitted fields get their defaults. With `start: true`, it starts at once.',
  access: { role: 'developer', of: 'channel' },
  tokenScope: 'firmware',
  body: z.strictObject({
    channelId: z.string().max(64),
    bundleId: z.string().max(64),
    steps: rolloutSettings.steps.optional(),
    rate: rolloutSettings.rate.optional(),
    delayS: rolloutSettings.delayS.optional(),
    soakS: rolloutSettings.soakS.optional(),
    failurePercent: rolloutSettings.failurePercent.optional(),
    gates: rolloutSettings.gates.optional(),
    leavesOutDowngrades: rolloutSettings.leavesOutDowngrades.optional(),
    /** Devices that are admitted first, regardless of their place. */
    deviceIds: z.array(z.string().max(64)).max(idsMax).optional(),
    start: z.boolean().optional(),
  }),
  answer: Rollout,
  reasons: [
    'CHANNEL_NOT_FOUND',
    'ROLE_TOO_LOW',
    'BUNDLE_NOT_FOUND',
    'DEVICE_NOT_FOUND',
    'ROLLOUT_RUNNING',
    'BUNDLE_UNCHANGED',
    'STEPS_UNFIT',
  ],
  audit: 'Rollout of {bundleName} to channel {channelName} created',
  makesOld,
});

export const readRollout = endpoint('readRollout', 'GET /rollouts/:rolloutId', {
  summary: 'Retrieves a rollout with its progress.',
  access: { role: 'viewer', of: 'rollout' },
  answer: Rollout,
  reasons,
});

export const editRollout = endpoint('editRollout', 'PATCH /rollouts/:rolloutId', {
  summary:
    'Updates an unfinished rollout. Steps that have started cannot change. `reason` is recorded in its history.',
  access: { role: 'developer', of: 'rollout' },
  tokenScope: 'firmware',
  body: z
    .strictObject({
      steps: rolloutSettings.steps,
      rate: rolloutSettings.rate,
      delayS: rolloutSettings.delayS,
      soakS: rolloutSettings.soakS,
      failurePercent: rolloutSettings.failurePercent,
      gates: rolloutSettings.gates,
      leavesOutDowngrades: rolloutSettings.leavesOutDowngrades,
      /** The reason, recorded in the history. */
      reason: z.string().max(500),
    })
    .partial(),
  answer: Rollout,
  reasons: [...changing, 'STEPS_UNFIT'],
  audit: 'Rollout {id} updated',
});

export const rolloutActs = [
  'start',
  'pause',
  'resume',
  'nextStep',
  'stop',
  'rollBack',
  'retryFailed',
] as const;
export type RolloutAct = (typeof rolloutActs)[number];

export const actOnRollout = endpoint('actOnRollout', 'POST /rollouts/:rolloutId/actions', {
  summary:
    'Starts, pauses, resumes or stops a rollout, starts its next step, tells failed devices to try again, or rolls it back. Rolling back creates and returns another rollout, which moves the devices that run the bundle back to the previous one.',
  access: { role: 'developer', of: 'rollout' },
  tokenScope: 'firmware',
  body: z.strictObject({
    action: z.enum(rolloutActs),
    /** The reason, recorded in the history. */
    reason: z.string().max(500).optional(),
  }),
  answer: Rollout,
  reasons: [...changing, 'ROLLOUT_RUNNING'],
  audit: 'Rollout of {bundleName} to channel {channelName} {said}',
  makesOld,
});
