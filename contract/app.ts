import { z } from 'zod';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { userSessionsTtl } from '#rules/time/lifetimes.ts';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { descriptionMax, jsonObject, projectOfRow, revision, text, time } from './shapes.ts';

export const appsMax = 100;
export const appConfigBytesMax = 64 * 1024;
export const redirectsMax = 20;
export const subscribedEventsMax = 200;

export const App = z.object({
  id: z.string(),
  projectId: z.string(),
  description: z.string(),
  /** The names of the events that sessions of the app receive; `*` alone means all. */
  subscribedEvents: z.array(z.string()),
  /** Seconds. */
  userSessionsTTL: z.number().int(),
  /** The configuration that the app reads with `GET /config`. */
  config: jsonObject,
  /** The addresses to which a sign-in with a provider may return, compared exactly. */
  redirects: z.array(z.string()),
  createdAt: time,
  revision,
});
export type App = z.output<typeof App>;

export const AppRow = App.omit({ config: true }).extend({
  /** Sessions that have not ended. */
  openSessions: z.number().int(),
  /** Sessions with a call in the last 15 minutes. */
  activeSessions: z.number().int(),
});
export type AppRow = z.output<typeof AppRow>;

/** Stored sorted and without duplicates, ignoring case. */
const subscribedEvents = z
  .array(z.union([z.literal('*'), z.string().max(eventNameMax).regex(eventNamePattern)]))
  .max(subscribedEventsMax);
const fields = {
  description: text(descriptionMax),
  subscribedEvents,
  userSessionsTTL: z.number().int().min(userSessionsTtl.minS).max(userSessionsTtl.maxS),
  config: jsonObject,
  redirects: z.array(z.string().min(1).max(500)).max(redirectsMax),
};
/** Required only if the id exists in more than one of the caller's projects. */
const ofProject = z.strictObject({ projectId: projectOfRow });
const inProject = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = ['APP_NOT_FOUND', 'AMBIGUOUS_ID'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;

export const listApps = endpoint('listApps', 'GET /projects/:projectId/apps', {
  summary: 'Lists the apps of a project.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['id', 'createdAt'], default: 'id:asc' },
  answer: z.array(AppRow),
  reasons: inProject,
  capability: 'canAdmin',
});

export const createApp = endpoint('createApp', 'POST /projects/:projectId/apps', {
  summary:
    'Creates an app. Without `subscribedEvents`, its sessions receive all events. Without `config`, the config is empty.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({ id: z.string().max(idMax).regex(chosenIdPattern), ...fields }).partial({
    description: true,
    subscribedEvents: true,
    userSessionsTTL: true,
    config: true,
    redirects: true,
  }),
  answer: App,
  reasons: [...inProject, 'ROLE_TOO_LOW', 'ID_TAKEN', 'TOO_MANY_APPS', 'TOO_LARGE', 'REDIRECT_UNFIT'],
  audit: 'App {id} created',
});

export const readApp = endpoint('readApp', 'GET /apps/:appId', {
  summary: 'Retrieves an app.',
  access: { role: 'viewer', of: 'app' },
  query: ofProject,
  answer: App,
  reasons,
  capability: 'canAdmin',
});

export const editApp = endpoint('editApp', 'PATCH /apps/:appId', {
  summary:
    'Updates an app. A shorter session time applies from the next refresh; apps receive a new config when they next call `GET /config`.',
  access: { role: 'developer', of: 'app' },
  query: ofProject,
  body: z.strictObject(fields).partial(),
  answer: App,
  reasons: [...changing, 'TOO_LARGE', 'REDIRECT_UNFIT'],
  audit: 'App {id} changed',
});

export const deleteApp = endpoint('deleteApp', 'DELETE /apps/:appId', {
  summary: 'Deletes an app and ends its sessions. Users, homes and devices stay.',
  access: { role: 'developer', of: 'app' },
  query: ofProject,
  reasons: changing,
  audit: 'App {id} deleted',
  makesOld: ['users'],
});

const day = z.iso.date();

export const AppFigures = z.object({
  /** Sessions with a call in the last 15 minutes, and those with an open event stream. */
  activeSessions: z.number().int(),
  openStreams: z.number().int(),
  openSessions: z.number().int(),
  /** Users with an open session. */
  users: z.number().int(),
  /** Sessions that ended in the last 30 days, and how. */
  ended: z.object({
    signedOut: z.number().int(),
    expired: z.number().int(),
    reused: z.number().int(),
    ended: z.number().int(),
  }),
  /** The last 24 hours; the median is absent if there were no calls. */
  calls: z.object({ count: z.number().int(), medianMs: z.number().optional() }),
  configReads: z.object({ count: z.number().int(), lastAt: time.optional() }),
  /** Distinct users per day in the last 30 days, oldest first. */
  usersByDay: z.array(z.object({ day, users: z.number().int() })),
  /** Distinct users per hour in the last 24 hours; the time is the beginning of the hour. */
  usersByHour: z.array(z.object({ hour: time, users: z.number().int() })),
  /** Events of the last 24 hours by name and class, most frequent first, at most 100. */
  events: z.array(z.object({ name: z.string(), deviceClass: z.string(), count: z.number().int() })),
});
export type AppFigures = z.output<typeof AppFigures>;

export const readAppFigures = endpoint('readAppFigures', 'GET /apps/:appId/figures', {
  summary: 'Counts the sessions, users and calls of an app, and the events it could subscribe to.',
  access: { role: 'viewer', of: 'app' },
  query: ofProject,
  answer: AppFigures,
  reasons,
});
