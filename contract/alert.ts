import { z } from 'zod';
import { alertSeverities } from './deviceFrames.ts';
import { revision, time } from './shapes.ts';

export { alertTextMax } from './deviceFrames.ts';

/** Open until somebody looks at it, acknowledged while they do, and resolved once it is over. */
export const alertStates = ['open', 'acknowledged', 'resolved'] as const;
export type AlertState = (typeof alertStates)[number];
export type AlertSeverity = (typeof alertSeverities)[number];

/** An alert that was resolved so recently is opened again when it is reported anew; later, another alert is raised. */
export const reopenWithinMinutes = 5;
/** A device with so many unresolved alerts gets no more of them: further ones are reported as one, with the key `*`. */
export const unresolvedMax = 100;
export const overflowKey = '*';
export const noteMax = 1000;
/** Of one alert, the newest changes are kept. */
export const alertChangesMax = 100;

/** Who changed an alert. `name` is absent where there is none left: an erased user, a deleted module. */
export const AlertBy = z.object({
  type: z.enum(['developer', 'user', 'key', 'device', 'module', 'platform']),
  id: z.string(),
  name: z.string().optional(),
});
export type AlertBy = z.output<typeof AlertBy>;

/** What raised it: the device itself by an event, or a smart module in one of its runs. */
const AlertSource = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('device'),
    /** The name of the event that reported it last, and its id; events are kept for 30 days. */
    event: z.string(),
    eventId: z.string(),
  }),
  z.object({ kind: z.literal('module'), moduleId: z.string(), runId: z.string() }),
]);

export const Alert = z.object({
  id: z.string(),
  projectId: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  deviceTag: z.string(),
  deviceClass: z.string(),
  /** Absent: the device belongs to no home. */
  homeId: z.string().optional(),
  severity: z.enum(alertSeverities),
  text: z.string(),
  /** Reports of one device with one key are one alert. */
  key: z.string(),
  state: z.enum(alertStates),
  /** How often it was reported. */
  count: z.number().int(),
  /** When it was reported first, and last. */
  raisedAt: time,
  lastAt: time,
  /** When it got its state, from whom, and what they wrote. Absent while nobody has touched it. */
  change: z.object({ at: time, by: AlertBy, note: z.string() }).optional(),
  source: AlertSource,
  revision,
});
export type Alert = z.output<typeof Alert>;
