import { Problem } from '#contract/problem.ts';
import type { CalledApp } from '#server/api/endpoints/apiDoor.ts';
import { onProjectChanged } from '#server/api/http/live.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { RecentMemory } from '#server/infra/pace/recentMemory.ts';
import type { Platform } from '#server/infra/platform.ts';

/** How long an app is cached without asking the database. The bus announces changes. */
const bounds = { trustMs: 5_000, max: 10_000 };

const memories = new WeakMap<Platform, RecentMemory<CalledApp>>();

function memoryOf(platform: Platform): RecentMemory<CalledApp> {
  const known = memories.get(platform);
  if (known) return known;
  const memory = new RecentMemory<CalledApp>(bounds);
  onProjectChanged(platform, projectId => memory.outdate(projectId));
  memories.set(platform, memory);
  return memory;
}

/** The app of `/app/v1/{appId}@{projectId}`; the public alias of the project is accepted as well. */
export function calledApp(platform: Platform, named: string, now: Date): CalledApp | Promise<CalledApp> {
  const found = memoryOf(platform).find(named, now.getTime(), async () => {
    const [, appId, project] = /^([^@]{1,64})@([^@]{1,128})$/.exec(named) ?? [];
    const app = appId && project ? await findApp(platform.db, appId, project) : undefined;
    return app && { value: app, about: app.projectId };
  });
  return found instanceof Promise ? found.then(orNone) : found;
}

function orNone(app: CalledApp | undefined): CalledApp {
  if (!app) throw new Problem('APP_NOT_FOUND');
  return app;
}

function findApp(db: Db, appId: string, project: string): Promise<CalledApp | undefined> {
  return db.one<CalledApp>(sql`
    select a.id, p.id as "projectId", p.org_id as "orgId", p.name as "projectName",
      a.user_sessions_ttl_s as "userSessionsTtlS", a.subscribed_events as "subscribedEvents", a.redirects,
      p.user_account_mode as "userAccountMode", p.restrict_user_reg as "restrictUserReg",
      p.restrict_home_creation as "restrictHomeCreation", p.restrict_password_login as "restrictPasswordLogin",
      p.on_demand_provisioning as "onDemandProvisioning", p.deactivate_new_homes as "deactivateNewHomes",
      p.permission_based_access_control as "hasRoles", p.user_call_rate as "userCallRate",
      p.project_call_rate as "projectCallRate"
    from apps a join projects p on p.id = a.project_id and p.deleted_at is null
    where a.id = ${appId} and (p.id = ${project} or lower(p.public_alias) = lower(${project}))`);
}
