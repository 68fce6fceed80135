import type { BodyOf } from '#contract/endpoint.ts';
import type { editProject, Project } from '#contract/project.ts';
import type { Resource } from '#server/api/access/access.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import type { Session } from '#server/api/sessions/session.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';
import { findProject, projectColumns, toProject } from './project.ts';

declare module '#server/api/access/access.ts' {
  interface Rows {
    project: Project;
  }
}

export const projectResource: Resource<Project> = {
  notFound: 'PROJECT_NOT_FOUND',
  async find(db, { projectId = '' }, { developerId, lock }) {
    const row = await findProject(db, projectId, developerId, lock);
    return row && { projectId: row.id, orgId: row.orgId, role: row.role, row: toProject(row) };
  },
};

const orders: Record<string, string> = { name: byName('p.name'), createdAt: 'p.created_at' };

export async function projectsOf(
  db: Db,
  { developerId, token }: Pick<Session, 'developerId' | 'token'>,
  page: PageAsked,
): Promise<{ items: Project[]; total: number }> {
  const search = sql`search_text(p.id || ' ' || p.name || ' ' || p.description)`;
  return pageOf(db, {
    columns: sql`${projectColumns}, m.role`,
    from: sql`project_members m join projects p on p.id = m.project_id`,
    where: sql`m.developer_id = ${developerId} and p.deleted_at is null
      ${token?.projectIds ? sql`and p.id = any(${token.projectIds})` : empty}
      ${page.search ? sql`and ${contains(search, page.search)}` : empty}`,
    orders,
    key: sql`p.id`,
    page,
    as: toProject,
  });
}

/** Inserts the project and makes its creator the owner. */
export async function insertProject(
  db: Db,
  given: {
    id: string;
    orgId: string;
    name: string;
    description: string;
    isSample: boolean;
    createdBy: string;
    now: Date;
  },
): Promise<void> {
  await db.run(sql`
    with made as (
      insert into projects (id, org_id, name, description, is_sample, created_by, created_at)
      values (${given.id}, ${given.orgId}, ${given.name}, ${given.description}, ${given.isSample},
        ${given.createdBy}, ${given.now})
      returning id)
    insert into project_members (project_id, developer_id, role, created_at)
    select id, ${given.createdBy}, 'owner', ${given.now} from made`);
}

/**
 * How many projects the developer has and may have. Locks the developer's row, so that concurrent creations are counted
 * one after the other.
 */
export async function lockProjectCount(db: Db, developerId: string): Promise<{ count: number; max: number }> {
  const developer = await db.one<{ max: number }>(sql`
    select max_projects as max from developers where id = ${developerId} for update`);
  const counted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from projects where created_by = ${developerId} and deleted_at is null`);
  return { count: counted?.count ?? 0, max: developer?.max ?? 0 };
}

type Edit = BodyOf<typeof editProject>;

const columnOf: Record<keyof Edit, string> = {
  name: 'name',
  description: 'description',
  publicAlias: 'public_alias',
  userAuthMessage: 'user_auth_message',
  userPasswordPolicy: 'user_password_policy',
  userAccountMode: 'user_account_mode',
  onDemandProvisioning: 'on_demand_provisioning',
  deactivateNewHomes: 'deactivate_new_homes',
  restrictUserReg: 'restrict_user_reg',
  restrictHomeCreation: 'restrict_home_creation',
  allowPublicOTAU: 'allow_public_otau',
  enableDeviceLogRetrieval: 'enable_device_log_retrieval',
  alertRetentionPeriod: 'alert_retention_period',
  deviceMessageRate: 'device_message_rate',
  userCallRate: 'user_call_rate',
  projectCallRate: 'project_call_rate',
  rawHistoryDays: 'raw_history_days',
  fiveMinuteHistoryDays: 'five_minute_history_days',
  hourlyHistoryDays: 'hourly_history_days',
  restrictPasswordLogin: 'restrict_password_login',
  forgetDeviceKeys: 'forget_device_keys',
  enablePermissionBasedAccessControl: 'permission_based_access_control',
};

export function updateProject(db: Db, projectId: string, edit: Edit): Promise<number> {
  return updateRow(db, 'projects', { id: projectId }, edit, columnOf);
}
