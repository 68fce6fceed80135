import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { projectOfRow, rangeMonth, time } from './shapes.ts';

/** The traffic counters of a project. */
export const trafficKinds = [
  'deviceMessagesIn',
  'deviceMessagesOut',
  'appCalls',
  'serviceCalls',
  'proxyCalls',
  'apiCalls',
  'bytes',
] as const;
export type TrafficKind = (typeof trafficKinds)[number];

const counts = z.record(z.enum(trafficKinds), z.number().int());

/** Each device is counted in one state. */
const stateCounts = {
  connected: z.number().int(),
  disconnected: z.number().int(),
  never: z.number().int(),
  suspended: z.number().int(),
};
export const StateCounts = z.object(stateCounts);
export type StateCounts = z.output<typeof StateCounts>;

export const ProjectStats = z.object({
  devices: z.array(
    z.object({
      deviceClass: z.string(),
      claimed: z.number().int(),
      unclaimed: z.number().int(),
      ...stateCounts,
    }),
  ),
  users: z.number().int(),
});
export type ProjectStats = z.output<typeof ProjectStats>;

export const readStats = endpoint('readStats', 'GET /projects/:projectId/stats', {
  summary: 'Counts the users of a project, and its devices by class: claimed or unclaimed, and by state.',
  access: { role: 'viewer', of: 'project' },
  answer: ProjectStats,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
});

/** The maximum number of bundles listed per class, those with the most devices; others are only counted. */
export const bundlesShownMax = 3;

export const ClassFirmware = z.object({
  deviceClass: z.string(),
  /** Most devices first. */
  bundles: z.array(z.object({ id: z.string(), name: z.string(), devices: z.number().int() })),
  /** Devices that run any bundle. */
  devices: z.number().int(),
});
export type ClassFirmware = z.output<typeof ClassFirmware>;

export const listClassFirmware = endpoint('listClassFirmware', 'GET /projects/:projectId/stats/firmware', {
  tokenScope: 'any',
  summary:
    'Returns, for each class, how many devices run a bundle, and the three bundles that most of them run. Classes whose devices reported none are left out.',
  access: { role: 'viewer', of: 'project' },
  answer: z.array(ClassFirmware),
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
});

/** Counts of people and homes that are not maintained by counters stop here: this many or more. */
export const peopleMax = 10_000;

const people = z.number().int().max(peopleMax);

export const PeopleFigures = z.object({
  users: z.number().int(),
  /** Users who were created in the last 7 days. */
  newUsers: people,
  /** Users who were seen in the last 24 hours. */
  seenUsers: people,
  homes: people,
});
export type PeopleFigures = z.output<typeof PeopleFigures>;

export const readPeopleFigures = endpoint('readPeopleFigures', 'GET /projects/:projectId/stats/people', {
  summary:
    'Counts the users and homes of a project, the users of the last 7 days, and those seen in the last 24 hours. Only the count of users is exact at any size; others stop at 10,000, which means 10,000 or more.',
  access: { role: 'viewer', of: 'project' },
  answer: PeopleFigures,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
});

export const TrafficMonth = z.object({
  /** Year and month, UTC: `2026-11`. */
  month: z.string(),
  counts,
  days: z.array(z.object({ day: z.iso.date(), counts })),
});
export type TrafficMonth = z.output<typeof TrafficMonth>;

export const readTrafficStats = endpoint('readTrafficStats', 'GET /projects/:projectId/trafficStats', {
  summary: 'Counts the project’s traffic by month and day. Months without traffic are included with zeros.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({ begin: rangeMonth, end: rangeMonth }),
  answer: z.array(TrafficMonth),
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'INVALID_RANGE'],
});

/** Counts that are not maintained by counters stop here: this many or more. */
export const figureMax = 10_000;

const figure = z.number().int().max(figureMax);

export const DeviceFigures = z.object({
  ...stateCounts,
  claimed: z.number().int(),
  unclaimed: z.number().int(),
  /** The channels used by devices of the class; an empty string means `stable`. */
  channels: z.array(z.object({ channel: z.string(), count: figure })),
});
export type DeviceFigures = z.output<typeof DeviceFigures>;

export const readDeviceFigures = endpoint('readDeviceFigures', 'GET /deviceClasses/:classId/figures', {
  summary:
    'Counts the devices of a class by state, claim and channel. Counts per channel stop at 10,000, which means 10,000 or more; all others are exact.',
  access: { role: 'viewer', of: 'deviceClass' },
  query: z.strictObject({ projectId: projectOfRow }),
  answer: DeviceFigures,
  reasons: ['DEVICE_CLASS_NOT_FOUND', 'AMBIGUOUS_ID'],
});

/** The hours that `readMessageHours` covers: a week. */
export const messageHoursMax = 7 * 24;

export const MessageHours = z.object({
  /** Hours with messages, oldest first. */
  hours: z.array(z.object({ hour: time, incoming: z.number().int(), outgoing: z.number().int() })),
  /** The messages of the last 24 hours, by class. */
  classes: z.array(
    z.object({
      deviceClass: z.string(),
      hours: z.array(z.object({ hour: time, messages: z.number().int() })),
    }),
  ),
});
export type MessageHours = z.output<typeof MessageHours>;

export const readMessageHours = endpoint('readMessageHours', 'GET /projects/:projectId/messageHours', {
  summary:
    'Counts the messages from and to devices by hour: for the last week, and by class for the last day.',
  access: { role: 'viewer', of: 'project' },
  answer: MessageHours,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
});
