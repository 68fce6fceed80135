import { z } from 'zod';
import { AlertBy, alertStates, noteMax, Alert as ProjectAlert } from '../alert.ts';
import { endpoint } from '../endpoint.ts';
import { pagingQuery } from '../paging.ts';
import { text, time } from '../shapes.ts';

/** An alert as the people of a home see it. */
export const MyAlert = ProjectAlert.pick({
  id: true,
  deviceId: true,
  deviceName: true,
  deviceTag: true,
  severity: true,
  text: true,
  key: true,
  state: true,
  count: true,
  raisedAt: true,
  lastAt: true,
  revision: true,
}).extend({
  /**
   * When the alert entered its current state, and who changed it. Only end users are named, and only their notes are
   * shown.
   */
  change: z.object({ at: time, by: AlertBy.pick({ type: true, name: true }), note: z.string() }).optional(),
});
export type MyAlert = z.output<typeof MyAlert>;

const query = z.strictObject({ ...pagingQuery, state: z.enum(alertStates).optional() });
const list = { sortBy: ['raisedAt', 'lastAt', 'severity'], default: 'raisedAt:desc' } as const;
const reasons = ['DEVICE_NOT_FOUND', 'ALERT_NOT_FOUND'] as const;

export const listMyHomeAlerts = endpoint('listMyHomeAlerts', 'GET /homes/:homeId/alerts', {
  summary:
    'Lists the alerts of a home’s devices since they joined the home. Guests see only devices they currently have access to.',
  access: { right: 'view', of: 'home' },
  query,
  list,
  answer: z.array(MyAlert),
  reasons: ['HOME_NOT_FOUND'],
});

export const listMyAlerts = endpoint('listMyAlerts', 'GET /devices/:deviceId/alerts', {
  summary: 'Lists the alerts of a device since it joined the home.',
  access: { right: 'view', of: 'homeDevice' },
  query,
  list,
  answer: z.array(MyAlert),
  reasons: ['DEVICE_NOT_FOUND'],
});

export const readMyAlert = endpoint('readMyAlert', 'GET /devices/:deviceId/alerts/:alertId', {
  summary: 'Retrieves an alert.',
  access: { right: 'view', of: 'homeDevice' },
  answer: MyAlert,
  reasons,
});

export const changeMyAlert = endpoint('changeMyAlert', 'PATCH /devices/:deviceId/alerts/:alertId', {
  summary: 'Acknowledges, resolves or reopens an alert.',
  access: { right: 'control', of: 'homeDevice' },
  body: z.strictObject({ state: z.enum(alertStates), note: text(noteMax).optional() }),
  answer: MyAlert,
  reasons: [...reasons, 'HOME_RIGHT_MISSING', 'HOME_INACTIVE', 'ALERT_REPLACED', 'STALE'],
  audit: 'Alert {id} of device {deviceId} {said}: {text}',
  makesOld: ['alerts', 'alertCounts', 'alertGroups', 'findings', 'devicePulses', 'fleets'],
  ifMatch: 'part',
});
