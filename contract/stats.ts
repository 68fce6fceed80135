import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { rangeMonth } from './shapes.ts';

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

export const ProjectStats = z.object({
  devices: z.array(
    z.object({
      deviceClass: z.string(),
      claimed: z.number().int(),
      unclaimed: z.number().int(),
      connected: z.number().int(),
    }),
  ),
  users: z.number().int(),
});
export type ProjectStats = z.output<typeof ProjectStats>;

export const readStats = endpoint('readStats', 'GET /projects/:projectId/stats', {
  summary: 'Counts the users of a project, and its devices by class: claimed, unclaimed and connected.',
  access: { role: 'viewer', of: 'project' },
  answer: ProjectStats,
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
  connected: z.number().int(),
  disconnected: figure,
  never: figure,
  suspended: figure,
  claimed: z.number().int(),
  unclaimed: z.number().int(),
  /** The channels used by devices of the class; an empty string means `stable`. */
  channels: z.array(z.object({ channel: z.string(), count: figure })),
});
export type DeviceFigures = z.output<typeof DeviceFigures>;

export const readDeviceFigures = endpoint('readDeviceFigures', 'GET /deviceClasses/:classId/figures', {
  summary:
    'Counts the devices of a class by connection, suspension, claim and channel. Connected, claimed and unclaimed are exact; the other counts stop at 10,000, which means 10,000 or more.',
  access: { role: 'viewer', of: 'deviceClass' },
  query: z.strictObject({ projectId: z.string().max(64).optional() }),
  answer: DeviceFigures,
  reasons: ['DEVICE_CLASS_NOT_FOUND', 'AMBIGUOUS_ID'],
});
