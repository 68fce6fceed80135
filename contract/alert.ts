import { z } from 'zod';
import { idMax } from '#rules/chosenId.ts';
import { eventNameMax } from '#rules/eventNames.ts';
import { bulkProgress } from './bulkAction.ts';
import { alertSeverities } from './deviceFrames.ts';
import { endpoint } from './endpoint.ts';
import { homeId } from './home.ts';
import { cursorLike, pagingQuery } from './paging.ts';
import { rangeMoment, revision, text, time } from './shapes.ts';

export { alertSeverities, alertTextMax } from './deviceFrames.ts';

/** Open until somebody takes care of the alert, acknowledged while they do, and resolved once the problem is over. */
export const alertStates = ['open', 'acknowledged', 'resolved'] as const;
export type AlertState = (typeof alertStates)[number];
export type AlertSeverity = (typeof alertSeverities)[number];

export const noteMax = 1000;
/** The number of changes kept per alert; the oldest are removed. */
export const alertChangesMax = 100;

/** Who changed an alert. `name` is absent for an erased user or a deleted module. */
export const AlertBy = z.object({
  type: z.enum(['developer', 'user', 'key', 'device', 'module', 'platform']),
  id: z.string(),
  name: z.string().optional(),
});
export type AlertBy = z.output<typeof AlertBy>;

/** What raised the alert: an event of the device, or a run of a smart module. */
const AlertSource = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('device'),
    /** The name and id of the event that last reported the alert. Events are kept for 30 days. */
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
  /** A device's reports with the same key are one alert. */
  key: z.string(),
  state: z.enum(alertStates),
  /** How often the alert was reported. */
  count: z.number().int(),
  /** When the alert was first and last reported. */
  raisedAt: time,
  lastAt: time,
  /** When the alert entered its current state, who changed it, and their note. Absent if nobody has changed it. */
  change: z.object({ at: time, by: AlertBy, note: z.string() }).optional(),
  source: AlertSource,
  revision,
});
export type Alert = z.output<typeof Alert>;

export const AlertChange = z.object({
  at: time,
  /** `severity`: the severity changed to `severity`. `note`: somebody added a note. */
  what: z.enum(['acknowledged', 'resolved', 'reopened', 'severity', 'note']),
  severity: z.enum(alertSeverities).optional(),
  by: AlertBy,
  note: z.string(),
});
export type AlertChange = z.output<typeof AlertChange>;

/** An alert with its 100 latest changes, oldest first. */
export const AlertDetail = Alert.extend({ changes: z.array(AlertChange) });
export type AlertDetail = z.output<typeof AlertDetail>;

/** Filters. All given conditions must match. */
export const alertFilters = {
  state: z.enum(alertStates).optional(),
  severity: z.enum(alertSeverities).optional(),
  deviceClass: z.string().max(idMax).optional(),
  deviceId: z.string().max(64).optional(),
  /** Only alerts raised by this smart module. */
  moduleId: z.string().max(idMax).optional(),
  /** Only alerts that devices raised with this event. */
  event: z.string().max(eventNameMax).optional(),
  homeId: homeId.optional(),
  /** The time range in which the alert was raised; either end can be omitted. */
  begin: rangeMoment.optional(),
  end: rangeMoment.optional(),
};

const inProject = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const ofProject = { role: 'viewer', of: 'project' } as const;
/** The cached reads that show alerts, including the figures of fleets and lists of devices. */
export const alertsMakeOld = ['alerts', 'alertCounts', 'alertGroups', 'findings', 'devicePulses', 'fleets'];

export const listAlerts = endpoint('listAlerts', 'GET /projects/:projectId/alerts', {
  summary:
    'Lists the alerts of a project. `search` matches text, key, event, id and device id. To page deep into a large list, send the `Next-Cursor` header of the previous page as `cursor`.',
  access: ofProject,
  query: z.strictObject({
    ...alertFilters,
    ...pagingQuery,
    cursor: cursorLike(
      'eyJvcmRlciI6InJhaXNlZEF0OnRydWUiLCJrZXkiOiJhbHJfMDFrYWc0bTh5MmU2dHZwMHJtN240czljcWQiLCJpZCI6ImFscl8wMWthZzRtOHkyZTZ0dnAwcm03bjRzOWNxZCJ9',
    ),
  }),
  list: { sortBy: ['raisedAt', 'lastAt', 'severity'], default: 'raisedAt:desc' },
  answer: z.array(Alert),
  reasons: [...inProject, 'INVALID_RANGE'],
  capability: 'canAdmin',
});

/** Counts of alerts stop here: this many or more. */
export const alertCountMax = 10_000;

export const AlertCounts = z.object({
  open: z.number().int(),
  acknowledged: z.number().int(),
  resolved: z.number().int(),
  /** Open alerts only. */
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
  body: z
    .strictObject({ state: z.enum(alertStates).optional(), note: note.optional() })
    .meta({ examples: [{ state: 'acknowledged', note: 'Somebody is on the way.' }] }),
  answer: Alert,
  reasons: ['ALERT_NOT_FOUND', 'ROLE_TOO_LOW', 'STALE', 'ALERT_REPLACED'],
  audit: 'Alert {id} of device {deviceId} {said}: {text}',
  makesOld: alertsMakeOld,
  capability: 'canAdmin',
});

/** Up to this many alerts are changed before the call returns; more are changed by a job. */
export const alertIdsMax = 999;

const asked = {
  action: z.enum(['acknowledge', 'resolve', 'reopen']),
  note: note.optional(),
  ids: z.array(z.string().max(64)).min(1).max(alertIdsMax).optional(),
  /** Only alerts in this state are changed: what somebody else has changed in the meantime stays as it is. */
  from: z.enum(alertStates).optional(),
  matching: z.strictObject({ ...alertFilters, search: pagingQuery.search }).optional(),
};

export const AlertAction = z.object({
  id: z.string(),
  ...asked,
  /** Those of the named alerts that were changed. */
  changed: z.array(z.string()).optional(),
  ...bulkProgress,
});
export type AlertAction = z.output<typeof AlertAction>;

export const actOnAlerts = endpoint('actOnAlerts', 'POST /projects/:projectId/alertActions', {
  summary:
    'Acknowledges, resolves or reopens many alerts, selected by id or by filter. Up to 999 ids are processed before the call returns; a filter runs as a job whose progress you can follow. Alerts already in that state do not change, nor, with `from`, those in another state than that.',
  access: { role: 'developer', of: 'project' },
  body: z
    .strictObject(asked)
    .meta({ examples: [{ action: 'acknowledge', matching: { severity: 'warning' } }] }),
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
