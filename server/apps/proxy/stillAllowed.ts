import { Problem } from '#contract/problem.ts';
import { findSubject } from '#server/apps/proxyRoutes/findSubject.ts';
import { knownRoutes } from '#server/apps/proxyRoutes/knownRoutes.ts';
import { takingRoute } from '#server/apps/proxyRoutes/matchRoutes.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Asked } from './appProxy.ts';

/**
 * Whether a long-lasting call would still be allowed: its session is open, and its user's rights and its route still
 * exist.
 */
export async function isStillAllowed(platform: Platform, asked: Asked, routeId: string): Promise<boolean> {
  const { app, user, resource, ids, method, isUpgrade, path } = asked;
  const now = platform.clock();
  const session = await platform.db.one(sql`
    select 1 as open from user_sessions s
    join users u on u.project_id = s.project_id and u.id = s.user_id and not u.suspended
    join projects p on p.id = s.project_id and p.deleted_at is null
    where s.project_id = ${app.projectId} and s.id = ${user.sessionId} and s.ended_at is null and s.expires_at > ${now}`);
  if (!session) return false;
  try {
    const asker = { projectId: app.projectId, user, hasRoles: app.hasRoles, now };
    const subject = await findSubject(platform.db, resource, ids, asker, { method, isUpgrade });
    const route = takingRoute(await knownRoutes(platform, app.projectId, now), subject, path);
    return route.id === routeId && (!isUpgrade || route.webSocket);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
