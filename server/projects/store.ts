import type { BodyOf } from '#contract/endpoint.ts';
import type { editProject, Project } from '#contract/project.ts';
import { contains } from '#server/db/contains.ts';
import { type Db, empty, join, raw, sql } from '#server/db/sql.ts';
import type { Resource } from '#server/endpoints/access.ts';
import type { PageAsked } from '#server/endpoints/route.ts';
import { findProject, type ProjectRow, projectColumns, toProject } from './project.ts';

export const projectResource: Resource = {
  notFound: 'PROJECT_NOT_FOUND',
  async find(db, { projectId = '' }, developerId, lock) {
    const row = await findProject(db, projectId, developerId, lock);
    return row && { projectId: row.id, orgId: row.orgId, role: row.role, row: { ...toProject(row) } };
  },
};

const orders: Record<string, string> = { name: 'lower(p.name)', createdAt: 'p.created_at' };

export async function projectsOf(
  db: Db,
  developerId: string,
  page: PageAsked,
): Promise<{ items: Project[]; total: number }> {
  const matching = sql`
    from project_members m join projects p on p.id = m.project_id
    where m.developer_id = ${developerId} and p.deleted_at is null
      ${page.search ? found(page.search) : empty}`;
  const rows = await db.many<ProjectRow & { total: string }>(sql`
    select ${projectColumns}, m.role, count(*) over () as total ${matching}
    order by ${raw(`${orders[page.sortBy]} ${page.descending ? 'desc' : 'asc'}`)}, p.id
    limit ${page.limit} offset ${page.skip}`);
  const items = rows.map(({ total: _, ...row }) => toProject(row));
  // Only a page past the end has no row to say how many there are.
  if (rows[0] || page.skip === 0) return { items, total: Number(rows[0]?.total ?? 0) };
  const counted = await db.one<{ total: number }>(sql`select count(*)::int as total ${matching}`);
  return { items, total: counted?.total ?? 0 };
}

function found(search: string) {
  return sql`and ${contains(sql`search_text(p.id || ' ' || p.name || ' ' || p.description)`, search)}`;
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

/** What the developer may still create, holding the row so that two creations at once are counted one by one. */
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
  restrictPasswordLogin: 'restrict_password_login',
  forgetDeviceKeys: 'forget_device_keys',
  enablePermissionBasedAccessControl: 'permission_based_access_control',
};

export async function updateProject(db: Db, projectId: string, edit: Edit): Promise<void> {
  const given = (Object.keys(columnOf) as (keyof Edit)[]).filter(name => edit[name] !== undefined);
  const sets = given.map(name => {
    const value = edit[name];
    // The driver would make a JSON object of ours a row of PostgreSQL's.
    const text = value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
    return sql`${raw(columnOf[name])} = ${text}`;
  });
  await db.run(sql`
    update projects set ${join([...sets, sql`revision = revision + 1`])} where id = ${projectId}`);
}
