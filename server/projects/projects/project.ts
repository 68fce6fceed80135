import type { Role } from '#contract/endpoint.ts';
import type { Project } from '#contract/project.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';

/** A project's row as the API shows it, with additional fields for the server. */
export type ProjectRow = Omit<Project, 'publicAlias' | 'userPasswordPolicy' | 'createdAt' | 'role'> & {
  orgId: string;
  publicAlias: string | null;
  userPasswordPolicy: Project['userPasswordPolicy'] | null;
  createdAt: Date;
  role: Role | null;
};

export const projectColumns = sql`
  p.id, p.org_id as "orgId", p.name, p.description, p.public_alias as "publicAlias", p.is_sample as "isSample",
  p.user_account_mode as "userAccountMode", p.user_auth_message as "userAuthMessage",
  p.user_password_policy as "userPasswordPolicy", p.on_demand_provisioning as "onDemandProvisioning",
  p.deactivate_new_homes as "deactivateNewHomes", p.restrict_user_reg as "restrictUserReg",
  p.restrict_home_creation as "restrictHomeCreation", p.allow_public_otau as "allowPublicOTAU",
  p.enable_device_log_retrieval as "enableDeviceLogRetrieval", p.alert_retention_period as "alertRetentionPeriod",
  p.device_message_rate as "deviceMessageRate", p.user_call_rate as "userCallRate",
  p.project_call_rate as "projectCallRate", p.raw_history_days as "rawHistoryDays",
  p.five_minute_history_days as "fiveMinuteHistoryDays", p.hourly_history_days as "hourlyHistoryDays",
  p.restrict_password_login as "restrictPasswordLogin", p.forget_device_keys as "forgetDeviceKeys",
  p.permission_based_access_control as "enablePermissionBasedAccessControl",
  p.created_at as "createdAt", p.revision`;

/** The project and the developer's role in it. A deleted project is not found, even if its job is still running. */
export function findProject(
  db: Db,
  projectId: string,
  developerId: string,
  lock = false,
): Promise<ProjectRow | undefined> {
  return db.one<ProjectRow>(sql`
    select ${projectColumns}, (
      select m.role from project_members m where m.project_id = p.id and m.developer_id = ${developerId}) as role
    from projects p where p.id = ${projectId} and p.deleted_at is null ${lock ? sql`for update` : empty}`);
}

export function toProject({
  orgId: _,
  publicAlias,
  userPasswordPolicy,
  createdAt,
  role,
  ...rest
}: ProjectRow): Project {
  return {
    ...rest,
    ...(publicAlias !== null && { publicAlias }),
    ...(userPasswordPolicy && { userPasswordPolicy }),
    role: role ?? 'viewer',
    createdAt: createdAt.toISOString(),
  };
}
