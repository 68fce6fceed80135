import { z } from 'zod';
import { AlertGroup } from './alertGroup.ts';
import { deviceSignals } from './device.ts';
import { endpoint } from './endpoint.ts';
import { time } from './shapes.ts';

/** Findings are counted up to this: this many or more. */
export const findingsMax = 1_000;
/** The maximum number of devices and causes listed in a finding. */
export const namedMax = 3;
/** The most findings of alerts, and of rollouts. */
export const causesShownMax = 20;
/** How many findings a person can hide in a project; hiding another one forgets the one hidden first. */
export const hiddenMax = 100;

/** What devices can have in common, in the order in which it is listed. */
export const commonFacts = ['reason', 'class', 'firmware', 'alert', 'home', 'channel'] as const;
export type CommonFact = (typeof commonFacts)[number];

const Finding = z.object({
  /** Stays the same while the finding exists. */
  id: z.string().meta({ examples: ['alert:critical:module:frost-guard'] }),
  signal: z.enum(['lost', 'offline', 'rollout', ...deviceSignals, 'never']),
  /**
   * Only for `rollout`: a rollout that a gate or a person paused, or else one whose next step waits for a person. `step`
   * starts at 0.
   */
  rollout: z
    .object({
      id: z.string(),
      channelId: z.string(),
      channel: z.string(),
      bundle: z.string(),
      isPaused: z.boolean(),
      /** Who paused it by hand. Absent: a gate did. */
      pausedBy: z.string().optional(),
      /** Why it is paused. */
      cause: z.string().optional(),
      step: z.number().int(),
      stepCount: z.number().int(),
    })
    .optional(),
  /** Only for critical alerts: those of one cause. */
  alerts: AlertGroup.omit({ raisedPerHour: true }).optional(),
  /** Only for `lost`: how many were connected before, how many are now, and when the last of the devices was lost. */
  loss: z.object({ before: z.number().int(), connected: z.number().int(), until: time }).optional(),
  /** Only if a single device is quiet: how often it usually reports, and whether it is connected. */
  quiet: z.object({ everyS: z.number(), isConnected: z.boolean() }).optional(),
  /** Only for `lost` and `offline`: the affected class, if not the whole fleet is affected. */
  deviceClass: z.string().optional(),
  /**
   * For devices that are lost, offline, flapping, quiet or never connected: how many there are. Otherwise, how often it
   * happened.
   */
  count: z.number().int(),
  /** Since when it needs attention. */
  since: time,
  /** When it last happened. A hidden finding returns once this changes to a later time. */
  at: time,
  /** The devices it last happened to. */
  devices: z.array(z.object({ id: z.string(), name: z.string(), tag: z.string() })),
  /** The most frequent causes, as sentences. */
  causes: z.array(z.object({ text: z.string(), count: z.number().int() })),
  /** What at least nine in ten of the affected devices share, if there are several. */
  common: z.array(
    z.object({
      fact: z.enum(commonFacts),
      value: z.string().meta({ examples: ['winter-24'] }),
      count: z.number().int(),
      /** How many devices were compared. */
      of: z.number().int(),
    }),
  ),
  /** The caller has hidden it until it changes. */
  isHidden: z.literal(true).optional(),
});
export type Finding = z.output<typeof Finding>;

const ofProject = { role: 'viewer', of: 'project' } as const;
const reasons = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;

export const listFindings = endpoint('listFindings', 'GET /projects/:projectId/findings', {
  summary:
    'Lists what needs attention in a fleet, the most urgent first: devices that lost their connection within five minutes (at least half of those connected, or ten, and in fleets of more than 1,000 at least 1 %) and have not returned; many devices of the fleet or of a class offline that are usually connected at this time of day; critical alerts by cause; rollouts that a gate or a person paused; rollouts whose next step waits for a person; failed updates and commands; flapping devices; devices that are silent for longer than they ever were; other open alerts; messages in quarantine; devices that never connected. Items with a count of zero are left out; counts stop at 1,000. A finding is left out once its cause is gone.',
  access: ofProject,
  answer: z.array(Finding),
  reasons,
});

export const hideFinding = endpoint('hideFinding', 'PUT /projects/:projectId/hiddenFindings/:findingId', {
  summary:
    'Hides a finding from the caller until it happens again: until its `at` is later than the one sent. Others still see it.',
  access: ofProject,
  tokenScope: 'none',
  body: z.strictObject({ at: time }),
  reasons,
  audit: 'Finding {findingId} hidden from the own overview',
  makesOld: ['findings'],
});

export const showFinding = endpoint('showFinding', 'DELETE /projects/:projectId/hiddenFindings/:findingId', {
  summary: 'Shows the caller a finding again that they have hidden.',
  access: ofProject,
  tokenScope: 'none',
  reasons,
  audit: 'Finding {findingId} shown again on the own overview',
  makesOld: ['findings'],
});
