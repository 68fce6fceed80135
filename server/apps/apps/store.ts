import { type App, type AppRow, appsMax, type editApp } from '#contract/app.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { allEvents } from '#rules/apps/subscribedEvents.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { userSessionsTtl } from '#rules/time/lifetimes.ts';
import type { Resource } from '#server/api/access/access.ts';
import { checkRoom, findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';

/** A session counts as active for this long after its last call. */
export const activeMs = 15 * minuteMs;

type RowOf<T extends { createdAt: string }> = Omit<T, 'createdAt'> & { createdAt: Date };

const columns = sql`
  a.id, a.project_id as "projectId", a.description, a.subscribed_events as "subscribedEvents",
  a.user_sessions_ttl_s as "userSessionsTTL", a.redirects, a.created_at as "createdAt", a.revision`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    app: App;
  }
}

/** Finds an app in the project named by the call, or without one among the caller's projects. */
export const appResource: Resource<App> = {
  notFound: 'APP_NOT_FOUND',
  async find(db, { projectId, appId = '' }, caller) {
    return findInProject(db, caller, {
      columns: sql`${columns}, a.config`,
      from: sql`apps a`,
      alias: 'a',
      where:
        projectId === undefined ? sql`a.id = ${appId}` : sql`a.project_id = ${projectId} and a.id = ${appId}`,
      amongOwn: projectId === undefined,
      as: toApp<RowOf<App>>,
    });
  },
};

const orders: Record<string, string> = { id: byName('a.id'), createdAt: 'a.created_at' };

export async function appsOf(
  db: Db,
  projectId: string,
  { page, now }: { page: PageAsked; now: Date },
): Promise<{ items: AppRow[]; total: number }> {
  const activeSince = new Date(now.getTime() - activeMs);
  return pageOf(db, {
    columns: sql`${columns}, s.open as "openSessions", s.active as "activeSessions"`,
    from: sql`apps a left join lateral (
      select count(*)::int as open, (count(*) filter (where last_seen_at > ${activeSince}))::int as active
      from user_sessions
      where project_id = a.project_id and app_id = a.id and ended_at is null and expires_at > ${now}) s on true`,
    where: sql`a.project_id = ${projectId} ${page.search ? sql`and ${contains(sql`a.search`, page.search)}` : empty}`,
    orders,
    key: sql`a.id`,
    page,
    as: toApp<RowOf<AppRow>>,
  });
}

export async function findApp(db: Db, projectId: string, id: string): Promise<App | undefined> {
  const row = await db.one<RowOf<App>>(sql`
    select ${columns}, a.config from apps a where a.project_id = ${projectId} and a.id = ${id}`);
  return row && toApp(row);
}

/** The editable fields of an app; absent: unchanged. */
export type AppEdit = BodyOf<typeof editApp>;

export async function insertApp(
  db: Db,
  given: { projectId: string; id: string; now: Date } & AppEdit,
): Promise<void> {
  await checkRoom(db, given.projectId, { table: 'apps', max: appsMax, reason: 'TOO_MANY_APPS' });
  await db.run(sql`
    insert into apps
      (project_id, id, description, subscribed_events, user_sessions_ttl_s, config, redirects, created_at)
    values (${given.projectId}, ${given.id}, ${given.description ?? ''}, ${given.subscribedEvents ?? [allEvents]},
      ${given.userSessionsTTL ?? userSessionsTtl.defaultS}, ${JSON.stringify(given.config ?? {})},
      ${given.redirects ?? []}, ${given.now})`);
}

export function updateApp(
  db: Db,
  projectId: string,
  id: string,
  { subscribedEvents, redirects, ...edit }: AppEdit,
): Promise<number> {
  const kept = {
    ...edit,
    subscribedEvents: subscribedEvents && sql`${subscribedEvents}`,
    redirects: redirects && sql`${redirects}`,
  };
  return updateRow(db, 'apps', { project_id: projectId, id }, kept, {
    description: 'description',
    subscribedEvents: 'subscribed_events',
    userSessionsTTL: 'user_sessions_ttl_s',
    config: 'config',
    redirects: 'redirects',
  });
}

/** The users with an open session in an app. */
export async function usersSignedIn(db: Db, projectId: string, id: string): Promise<string[]> {
  const rows = await db.many<{ userId: string }>(sql`
    select distinct user_id as "userId" from user_sessions
    where project_id = ${projectId} and app_id = ${id} and ended_at is null`);
  return rows.map(({ userId }) => userId);
}

/** Deletes the app with its sessions and their tokens. */
export async function deleteApp(db: Db, projectId: string, id: string): Promise<void> {
  await db.run(sql`delete from apps where project_id = ${projectId} and id = ${id}`);
}

function toApp<Row extends { createdAt: Date }>({ createdAt, ...row }: Row) {
  return { ...row, createdAt: createdAt.toISOString() };
}
