import type { Role } from '#contract/endpoint.ts';
import { type Db, empty, join, raw, type Sql, sql } from '#server/db/sql.ts';
import type { Resource } from '#server/endpoints/access.ts';
import type { Icon } from './icon.ts';

export const methodsMax = 20;

/** A method's row as the API shows it, but for what depends on where the platform is reached. */
export interface MethodRow {
  id: string;
  label: string;
  description: string;
  iconUrl: string;
  protocol: 'oidc';
  config: { issuer: string; clientId: string };
  createdAt: Date;
  revision: number;
}

const columns = sql`
  u.id, u.label, u.description, u.icon_url as "iconUrl", u.protocol,
  jsonb_build_object('issuer', u.issuer, 'clientId', u.client_id) as config, u.created_at as "createdAt", u.revision`;

export const userAuthMethodResource: Resource = {
  notFound: 'USER_AUTH_METHOD_NOT_FOUND',
  async find(db, { projectId = '', methodId = '' }, developerId, lock) {
    const row = await db.one<MethodRow & { orgId: string; role: Role | null }>(sql`
      select ${columns}, p.org_id as "orgId", (
        select m.role from project_members m where m.project_id = p.id and m.developer_id = ${developerId}) as role
      from user_auth_methods u join projects p on p.id = u.project_id and p.deleted_at is null
      where u.project_id = ${projectId} and u.id = ${methodId} ${lock ? sql`for update of u` : empty}`);
    if (!row) return undefined;
    const { orgId, role, ...method } = row;
    return { projectId, orgId, role, row: { ...method } };
  },
};

export function methodsOf(db: Db, projectId: string): Promise<MethodRow[]> {
  return db.many<MethodRow>(sql`
    select ${columns} from user_auth_methods u where u.project_id = ${projectId}
    order by lower(u.label), u.id limit ${methodsMax}`);
}

export function findMethod(db: Db, projectId: string, id: string): Promise<MethodRow | undefined> {
  return db.one<MethodRow>(sql`
    select ${columns} from user_auth_methods u where u.project_id = ${projectId} and u.id = ${id}`);
}

/** Holds the project while a method is added, and answers how many it has; undefined when it was just deleted. */
export async function lockMethodCount(db: Db, projectId: string): Promise<number | undefined> {
  const project = await db.one(
    sql`select 1 as found from projects where id = ${projectId} and deleted_at is null for update`,
  );
  if (!project) return undefined;
  const counted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from user_auth_methods where project_id = ${projectId}`);
  return counted?.count ?? 0;
}

/** What is kept of a method; absent: as it is. */
export interface MethodEdit {
  label?: string | undefined;
  description?: string | undefined;
  iconUrl?: string | undefined;
  /** Null takes it away. */
  icon?: Icon | null | undefined;
  issuer?: string | undefined;
  clientId?: string | undefined;
  sealedSecret?: Buffer | undefined;
}

export async function insertMethod(
  db: Db,
  given: { projectId: string; id: string; now: Date } & MethodEdit,
): Promise<void> {
  await db.run(sql`
    insert into user_auth_methods
      (project_id, id, label, description, icon_url, icon_type, icon, protocol, issuer, client_id, client_secret,
       created_at)
    values (${given.projectId}, ${given.id}, ${given.label}, ${given.description ?? ''}, ${given.iconUrl ?? ''},
      ${given.icon?.type ?? null}, ${given.icon?.bytes ?? null}, 'oidc', ${given.issuer}, ${given.clientId},
      ${given.sealedSecret}, ${given.now})`);
}

export async function updateMethod(db: Db, projectId: string, id: string, edit: MethodEdit): Promise<void> {
  const given: [column: string, value: unknown][] = [
    ['label', edit.label],
    ['description', edit.description],
    ['icon_url', edit.iconUrl],
    ['icon_type', edit.icon === null ? null : edit.icon?.type],
    ['icon', edit.icon === null ? null : edit.icon?.bytes],
    ['issuer', edit.issuer],
    ['client_id', edit.clientId],
    ['client_secret', edit.sealedSecret],
  ];
  const sets: Sql[] = given
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${raw(column)} = ${value}`);
  await db.run(sql`
    update user_auth_methods set ${join([...sets, sql`revision = revision + 1`])}
    where project_id = ${projectId} and id = ${id}`);
}

/** With the sign-ins that are under way with it. */
export async function deleteMethod(db: Db, projectId: string, id: string): Promise<void> {
  await db.run(sql`delete from user_auth_flows where project_id = ${projectId} and method_id = ${id}`);
  await db.run(sql`delete from user_auth_methods where project_id = ${projectId} and id = ${id}`);
}

export function findIcon(db: Db, projectId: string, id: string): Promise<Icon | undefined> {
  return db.one<Icon>(sql`
    select icon_type as type, icon as bytes from user_auth_methods
    where project_id = ${projectId} and id = ${id} and icon is not null`);
}

/** What a sign-in with the method is made with; the secret is still sealed. */
export interface Client {
  issuer: string;
  clientId: string;
  sealedSecret: Buffer;
}

export function findClient(db: Db, projectId: string, id: string): Promise<Client | undefined> {
  return db.one<Client>(sql`
    select issuer, client_id as "clientId", client_secret as "sealedSecret" from user_auth_methods
    where project_id = ${projectId} and id = ${id}`);
}
