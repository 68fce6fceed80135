import { z } from 'zod';
import { deviceSignals } from './device.ts';
import { Consent, DeviceUpdate } from './deviceFirmware.ts';
import { endpoint } from './endpoint.ts';
import { limitMax } from './paging.ts';
import { Presence } from './presence.ts';
import { time } from './shapes.ts';
import { StateCounts } from './stats.ts';

/** Findings are counted up to this: this many or more. */
export const findingsMax = 1_000;
/** The maximum number of devices and causes listed in a finding. */
export const namedMax = 3;

const Finding = z.object({
  signal: z.enum(['lost', 'offline', 'rollout', ...deviceSignals, 'never']),
  /** Only for `rollout`: a rollout that a gate or a person paused, or else one whose next step waits for a person. */
  rollout: z.object({ id: z.string(), channelId: z.string(), isPaused: z.boolean() }).optional(),
  /** Only for `lost` and `offline`: the affected class, if not the whole fleet is affected. */
  deviceClass: z.string().optional(),
  /** Only for `alert`: absent if the alerts are less than critical. */
  severity: z.literal('critical').optional(),
  /**
   * For devices that are lost, offline, flapping or never connected: how many there are. Otherwise, how often it
   * happened.
   */
  count: z.number().int(),
  /**
   * When it last happened. For a loss of connection: when it began. For devices that are offline: when the usual number was last connected. For those that never
   * connected: when the newest was created.
   */
  at: time,
  /** The devices it last happened to. */
  devices: z.array(z.object({ id: z.string(), name: z.string(), tag: z.string() })),
  /** The most frequent causes, as sentences. */
  causes: z.array(z.object({ text: z.string(), count: z.number().int() })),
});
export type Finding = z.output<typeof Finding>;

const ofProject = { role: 'viewer', of: 'project' } as const;
const reasons = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;

export const listFindings = endpoint('listFindings', 'GET /projects/:projectId/findings', {
  summary:
    'Lists what needs attention in a fleet, the most urgent first: devices that lost their connection within five minutes (at least half of those connected, or ten, and in fleets of more than 1,000 at least 1 %) and have not returned; many devices of the fleet or of a class offline that are usually connected at this time of day; critical alerts; rollouts that a gate or a person paused; rollouts whose next step waits for a person; failed updates and commands; flapping devices; other open alerts; messages in quarantine; devices that never connected. Items with a count of zero are left out; counts stop at 1,000.',
  access: ofProject,
  answer: z.array(Finding),
  reasons,
});

export const ConnectedHistory = z.object({
  /** One point for each quarter of an hour of the last 25 hours on record, oldest first. */
  points: z.array(
    z.object({
      at: time,
      /** At the end of the quarter of an hour. */
      connected: z.number().int(),
      /** The minimum within it. */
      low: z.number().int(),
    }),
  ),
});
export type ConnectedHistory = z.output<typeof ConnectedHistory>;

export const readConnectedHistory = endpoint(
  'readConnectedHistory',
  'GET /projects/:projectId/connectedHistory',
  {
    summary:
      'Returns how many devices of a project, or of one of its classes, were connected during the last day.',
    access: ofProject,
    query: z.strictObject({ deviceClass: z.string().max(64).optional() }),
    answer: ConnectedHistory,
    reasons,
  },
);

export const pulsesMax = 100;

const deviceIds = z
  .string()
  .max(pulsesMax * 31)
  .regex(/^dev_[0-9a-z]{26}(,dev_[0-9a-z]{26})*$/);

/** An update in progress. */
const MovingUpdate = DeviceUpdate.pick({
  bundle: true,
  state: true,
  component: true,
  percent: true,
  waitsFor: true,
}).extend({
  /** The version that the update installs of the component shown. Absent: no version changes. */
  version: z.string().optional(),
  consent: Consent.optional(),
});
export type MovingUpdate = z.output<typeof MovingUpdate>;

export const DevicePulse = z.object({
  id: z.string(),
  /** The last 24 hours. */
  presence: Presence,
  /** Recent problems, with how often they happened. */
  signals: z.array(
    z.object({ signal: z.enum(deviceSignals), count: z.number().int(), text: z.string().optional() }),
  ),
  firmware: z.object({
    /**
     * The installed version of one component: the first that the update changes, or else the first that the device
     * reports.
     */
    version: z.string().optional(),
    update: MovingUpdate.optional(),
  }),
});
export type DevicePulse = z.output<typeof DevicePulse>;

export const listDevicePulses = endpoint('listDevicePulses', 'GET /projects/:projectId/devicePulses', {
  summary:
    'Returns the presence of the last 24 hours, recent trouble, the installed version and the update under way of up to 100 devices, for the rows of a list. Ids that are not in the project are left out.',
  access: ofProject,
  query: z.strictObject({ ids: deviceIds }),
  answer: z.array(DevicePulse),
  reasons,
});

export const listDeviceNames = endpoint('listDeviceNames', 'GET /projects/:projectId/deviceNames', {
  summary: 'Returns the name and tag of up to 100 devices. Ids that are not in the project are left out.',
  access: ofProject,
  query: z.strictObject({ ids: deviceIds }),
  answer: z.array(z.object({ id: z.string(), name: z.string(), tag: z.string() })),
  reasons,
});

export const ProjectFleet = z.object({
  projectId: z.string(),
  states: StateCounts,
  /** Open alerts, counted up to 1,000. */
  alerts: z.number().int(),
  /** Connected devices by quarter of an hour, oldest first. */
  connected: z.array(z.number().int()),
});
export type ProjectFleet = z.output<typeof ProjectFleet>;

export const listFleets = endpoint('listFleets', 'GET /fleets', {
  summary: 'Counts the devices of each of your projects by state, with their connections of the last day.',
  access: 'verified',
  query: z.strictObject({
    projectIds: z
      .string()
      .max(limitMax * 31)
      .regex(/^[0-9a-z_]{1,64}(,[0-9a-z_]{1,64})*$/),
  }),
  answer: z.array(ProjectFleet),
});
