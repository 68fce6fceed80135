import { z } from 'zod';
import { idMax } from '#rules/chosenId.ts';
import { bulkProgress } from './bulkAction.ts';
import { alertSeverities } from './deviceFrames.ts';
import { endpoint } from './endpoint.ts';
import { homeId } from './home.ts';
import { pagingQuery } from './paging.ts';
import { rangeMoment, revision, text, time } from './shapes.ts';

export { alertSeverities, alertTextMax } from './deviceFrames.ts';

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

export const AlertChange = z.object({
  at: time,
  /** `severity`: it got better or worse, to `severity`. `note`: somebody wrote something about it. */
  what: z.enum(['acknowledged', 'resolved', 'reopened', 'severity', 'note']),
  severity: z.enum(alertSeverities).optional(),
  by: AlertBy,
  note: z.string(),
});
export type AlertChange = z.output<typeof AlertChange>;

/** With what became of it since it was raised, oldest first: the newest 100 changes. */
export const AlertDetail = Alert.extend({ changes: z.array(AlertChange) });
export type AlertDetail = z.output<typeof AlertDetail>;

/** What selects alerts; all that is given must match. */
const filters = {
  state: z.enum(alertStates).optional(),
  severity: z.enum(alertSeverities).optional(),
  deviceClass: z.string().max(idMax).optional(),
  deviceId: z.string().max(64).optional(),
  /** Those that a smart module raised. */
  moduleId: z.string().max(idMax).optional(),
  homeId: homeId.optional(),
  /** Raised in this time, of which either end can be left open. */
  begin: rangeMoment.optional(),
  end: rangeMoment.optional(),
};

const inProject = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const ofProject = { role: 'viewer', of: 'project' } as const;
/** What else shows alerts: the figures of fleets and lists of devices. */
export const alertsMakeOld = ['alerts', 'alertCounts', 'findings', 'devicePulses', 'fleets'];

export const listAlerts = endpoint('listAlerts', 'GET /projects/:projectId/alerts', {
  summary:
    'Lists the alerts of a project. `search` matches text, key, event, id and device id. To page deep into a large list, send the `Next-Cursor` header of the previous page as `cursor`.',
  access: ofProject,
  query: z.strictObject({ ...filters, ...pagingQuery, cursor: z.string().max(1000).optional() }),
  list: { sortBy: ['raisedAt', 'lastAt', 'severity'], default: 'raisedAt:desc' },
  answer: z.array(Alert),
  reasons: [...inProject, 'INVALID_RANGE'],
  capability: 'canAdmin',
});

/** Counts of alerts stop here: so many or more. */
export const alertCountMax = 10_000;

export const AlertCounts = z.object({
  open: z.number().int(),
  acknowledged: z.number().int(),
  resolved: z.number().int(),
  /** Of the open ones. */
  openBySeverity: z.object({
    info: z.number().int(),
    warning: z.number().int(),
    critical: z.number().int(),
  }),
});
export type AlertCounts = z.output<typeof AlertCounts>;

export const readAlertCounts = endpoint('readAlertCounts', 'GET /projects/:projectId/alertCounts', {
  summary:
    'Counts the alerts of a project by state, and the open ones by severity; each count stops at 10,000.',
  access: ofProject,
  answer: AlertCounts,
  reasons: inProject,
  capability: 'canAdmin',
});

export const readAlert = endpoint('readAlert', 'GET /alerts/:alertId', {
  summary: 'Retrieves an alert with its history.',
  access: { role: 'viewer', of: 'alert' },
  answer: AlertDetail,
  reasons: ['ALERT_NOT_FOUND'],
  capability: 'canAdmin',
});

const note = text(noteMax);

export const changeAlert = endpoint('changeAlert', 'PATCH /alerts/:alertId', {
  summary:
    'Acknowledges, resolves or reopens an alert, or adds a note to it. If an acknowledged alert is reported again, it stays acknowledged unless its severity increases.',
  access: { role: 'developer', of: 'alert' },
  body: z.strictObject({ state: z.enum(alertStates).optional(), note: note.optional() }),
  answer: Alert,
  reasons: ['ALERT_NOT_FOUND', 'ROLE_TOO_LOW', 'STALE', 'ALERT_REPLACED'],
  audit: 'Alert {id} of device {deviceId} {said}: {text}',
  makesOld: alertsMakeOld,
  capability: 'canAdmin',
});

/** Up to so many alerts are changed before the call returns; more become a job. */
export const alertIdsMax = 999;

const asked = {
  action: z.enum(['acknowledge', 'resolve', 'reopen']),
  note: note.optional(),
  ids: z.array(z.string().max(64)).min(1).max(alertIdsMax).optional(),
  matching: z.strictObject({ ...filters, search: pagingQuery.search }).optional(),
};

export const AlertAction = z.object({
  id: z.string(),
  ...asked,
  ...bulkProgress,
});
export type AlertAction = z.output<typeof AlertAction>;

export const actOnAlerts = endpoint('actOnAlerts', 'POST /projects/:projectId/alertActions', {
  summary:
    'Acknowledges, resolves or reopens many alerts, selected by id or by filter. Up to 999 ids are processed before the call returns; a filter runs as a job whose progress you can follow. Alerts already in that state do not change.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject(asked),
  answer: AlertAction,
  reasons: [...inProject, 'ROLE_TOO_LOW', 'ALERT_NOT_FOUND', 'INVALID_RANGE'],
  audit: '{said}',
  makesOld: alertsMakeOld,
  capability: 'canAdmin',
});

export const readAlertAction = endpoint(
  'readAlertAction',
  'GET /projects/:projectId/alertActions/:actionId',
  {
    summary: 'Retrieves the progress of a bulk action.',
    access: ofProject,
    answer: AlertAction,
    reasons: [...inProject, 'ACTION_NOT_FOUND'],
    capability: 'canAdmin',
  },
);
