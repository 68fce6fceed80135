import type { Role } from '#contract/endpoint.ts';
import type { Member } from '#contract/team.ts';
import type { Resource } from '#server/api/access/access.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';

export const membersMax = 500;

interface MemberRow extends Omit<Member, 'since'> {
  since: Date;
}

const columns = sql`
  m.developer_id as "developerId", d.name, d.email, m.role, d.password_hash is null as pending,
  m.created_at as since, m.revision`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    member: Member;
  }
}

export const memberResource: Resource<Member> = {
  notFound: 'MEMBER_NOT_FOUND',
  async find(db, { projectId = '', developerId = '' }, { developerId: callerId, lock }) {
    // Serializes changes to the team, so that two concurrent calls cannot both remove one of the last two owners.
    if (lock) await db.run(sql`select 1 from projects where id = ${projectId} for update`);
    const row = await db.one<MemberRow & { orgId: string; callerRole: Role | null }>(sql`
      select ${columns}, p.org_id as "orgId", (
        select c.role from project_members c where c.project_id = p.id and c.developer_id = ${callerId}) as "callerRole"
      from project_members m
      join developers d on d.id = m.developer_id
      join projects p on p.id = m.project_id and p.deleted_at is null
      where m.project_id = ${projectId} and m.developer_id = ${developerId}`);
    if (!row) return undefined;
    const { orgId, callerRole, ...member } = row;
    return { projectId, orgId, role: callerRole, row: toMember(member) };
  },
};

const orders = { name: byName('d.name'), since: 'm.created_at' };

export async function membersOf(db: Db, projectId: string, page: PageAsked) {
  const searched = page.search && contains(sql`search_text(d.name || ' ' || d.email)`, page.search);
  return pageOf(db, {
    columns,
    from: sql`project_members m join developers d on d.id = m.developer_id`,
    where: sql`m.project_id = ${projectId} ${searched ? sql`and ${searched}` : empty}`,
    orders,
    key: sql`d.id`,
    page,
    as: toMember,
  });
}

export async function findMember(
  db: Db,
  projectId: string,
  developerId: string,
): Promise<Member | undefined> {
  const row = await db.one<MemberRow>(sql`
    select ${columns} from project_members m join developers d on d.id = m.developer_id
    where m.project_id = ${projectId} and m.developer_id = ${developerId}`);
  return row && toMember(row);
}

export function insertMember(
  db: Db,
  given: { projectId: string; developerId: string; role: Role; now: Date },
): Promise<number> {
  return db.run(sql`
    insert into project_members (project_id, developer_id, role, created_at)
    values (${given.projectId}, ${given.developerId}, ${given.role}, ${given.now})`);
}

export function setRole(db: Db, projectId: string, developerId: string, role: Role): Promise<number> {
  return db.run(sql`
    update project_members set role = ${role}, revision = revision + 1
    where project_id = ${projectId} and developer_id = ${developerId}`);
}

export function deleteMember(db: Db, projectId: string, developerId: string): Promise<number> {
  return db.run(sql`
    delete from project_members where project_id = ${projectId} and developer_id = ${developerId}`);
}

/** The number of other members and owners who can act: neither only invited nor suspended. */
export async function countOthers(
  db: Db,
  projectId: string,
  developerId: string,
): Promise<{ members: number; owners: number }> {
  const counted = await db.one<{ members: number; owners: number }>(sql`
    select count(*)::int as members, (count(*) filter (where m.role = 'owner'))::int as owners
    from project_members m join developers d on d.id = m.developer_id
    where m.project_id = ${projectId} and m.developer_id <> ${developerId}
      and d.password_hash is not null and not d.suspended`);
  return counted ?? { members: 0, owners: 0 };
}

function toMember(row: MemberRow): Member {
  return { ...row, since: row.since.toISOString() };
}
