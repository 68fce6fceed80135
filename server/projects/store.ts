import type { Role } from '#contract/endpoint.ts';
import type { Project } from '#contract/project.ts';
import type { Resource } from '#server/access.ts';
import { type Db, empty, raw, sql } from '#server/db/sql.ts';
import type { PageAsked } from '#server/http/route.ts';

interface ProjectRow {
  id: string;
  orgId: string;
  name: string;
  description: string;
  isSample: boolean;
  createdAt: Date;
  revision: number;
  role: Role | null;
}

const columns = sql`
  p.id, p.org_id as "orgId", p.name, p.description, p.is_sample as "isSample", p.created_at as "createdAt", p.revision`;

export const projectResource: Resource = {
  notFound: 'PROJECT_NOT_FOUND',
  async find(db, { projectId }, developerId, lock) {
    const row = await db.one<ProjectRow>(sql`
      select ${columns}, (
        select m.role from project_members m where m.project_id = p.id and m.developer_id = ${developerId}) as role
      from projects p where p.id = ${projectId ?? ''} ${lock ? sql`for update` : empty}`);
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
    where m.developer_id = ${developerId}
      ${page.search ? sql`and (p.id || ' ' || p.name || ' ' || p.description) ilike ${likeText(page.search)}` : empty}`;
  const counted = await db.one<{ total: number }>(sql`select count(*)::int as total ${matching}`);
  const rows = await db.many<ProjectRow>(sql`
    select ${columns}, m.role ${matching}
    order by ${raw(`${orders[page.sortBy]} ${page.descending ? 'desc' : 'asc'}`)}, p.id
    limit ${page.limit} offset ${page.skip}`);
  return { items: rows.map(toProject), total: counted?.total ?? 0 };
}

/** `%` and `_` are looked for as they are. */
function likeText(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`;
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
    select count(*)::int as count from projects where created_by = ${developerId}`);
  return { count: counted?.count ?? 0, max: developer?.max ?? 0 };
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    isSample: row.isSample,
    role: row.role ?? 'viewer',
    createdAt: row.createdAt.toISOString(),
    revision: row.revision,
  };
}
