import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { CalledApp } from '#server/endpoints/apiDoor.ts';

/** The app of `/app/v1/{appId}@{projectId}`; the public alias of the project does as well. */
export async function calledApp(db: Db, named: string): Promise<CalledApp> {
  const [, appId, project] = /^([^@]{1,64})@([^@]{1,128})$/.exec(named) ?? [];
  const found = appId && project ? await findApp(db, appId, project) : undefined;
  if (!found) throw new Problem('APP_NOT_FOUND');
  return found;
}

function findApp(db: Db, appId: string, project: string): Promise<CalledApp | undefined> {
  return db.one<CalledApp>(sql`
    select a.id, p.id as "projectId", p.org_id as "orgId", p.name as "projectName",
      a.user_sessions_ttl_s as "userSessionsTtlS", a.subscribed_events as "subscribedEvents", a.redirects,
      p.user_account_mode as "userAccountMode", p.restrict_user_reg as "restrictUserReg",
      p.restrict_home_creation as "restrictHomeCreation", p.restrict_password_login as "restrictPasswordLogin",
      p.on_demand_provisioning as "onDemandProvisioning", p.deactivate_new_homes as "deactivateNewHomes",
      p.permission_based_access_control as "hasRoles"
    from apps a join projects p on p.id = a.project_id and p.deleted_at is null
    where a.id = ${appId} and (p.id = ${project} or lower(p.public_alias) = lower(${project}))`);
}
