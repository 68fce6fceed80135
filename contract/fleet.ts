import { z } from 'zod';
import { deviceSignals } from './device.ts';
import { Consent, DeviceUpdate } from './deviceFirmware.ts';
import { endpoint } from './endpoint.ts';
import { limitMax } from './paging.ts';
import { Presence } from './presence.ts';
import { time } from './shapes.ts';
import { StateCounts } from './stats.ts';

const ofProject = { role: 'viewer', of: 'project' } as const;
const reasons = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;

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
