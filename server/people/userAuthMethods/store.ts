import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';
import type { Icon } from './icon.ts';

export const methodsMax = 20;

/** A method's row as the API shows it, except for what depends on the platform's public URL. */
export interface MethodRow {
  id: string;
  label: string;
  description: string;
  iconUrl: string;
  protocol: 'oidc';
  config: { issuer: string; clientId: string };
  trustsEmail: boolean;
  /** False if it uses the shared redirect URI. */
  ownCallback: boolean;
  createdAt: Date;
  revision: number;
}

const columns = sql`
  u.id, u.label, u.description, u.icon_url as "iconUrl", u.protocol,
  jsonb_build_object('issuer', u.issuer, 'clientId', u.client_id) as config, u.trusts_email as "trustsEmail",
  u.own_callback as "ownCallback", u.created_at as "createdAt", u.revision`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    userAuthMethod: MethodRow;
  }
}

export const userAuthMethodResource: Resource<MethodRow> = {
  notFound: 'USER_AUTH_METHOD_NOT_FOUND',
  find: (db, { projectId = '', methodId = '' }, caller) =>
    findInProject<MethodRow>(db, caller, {
      columns,
      from: sql`user_auth_methods u`,
      alias: 'u',
      where: sql`u.project_id = ${projectId} and u.id = ${methodId}`,
    }),
};

const orders = { label: byName('u.label'), createdAt: 'u.created_at' };

export function methodsOf(db: Db, projectId: string, page: PageAsked) {
  const searched =
    page.search &&
    contains(sql`search_text(u.label || ' ' || u.description || ' ' || u.issuer)`, page.search);
  return pageOf<MethodRow>(db, {
    columns,
    from: sql`user_auth_methods u`,
    where: sql`u.project_id = ${projectId} ${searched ? sql`and ${searched}` : empty}`,
    orders,
    key: sql`u.id`,
    page,
  });
}

export function findMethod(db: Db, projectId: string, id: string): Promise<MethodRow | undefined> {
  return db.one<MethodRow>(sql`
    select ${columns} from user_auth_methods u where u.project_id = ${projectId} and u.id = ${id}`);
}

/** The stored fields of a method; absent fields are not changed. */
export interface MethodEdit {
  label?: string | undefined;
  description?: string | undefined;
  iconUrl?: string | undefined;
  /** Null deletes it. */
  icon?: Icon | null | undefined;
  issuer?: string | undefined;
  clientId?: string | undefined;
  sealedSecret?: Buffer | undefined;
  trustsEmail?: boolean | undefined;
}

export async function insertMethod(
  db: Db,
  given: { projectId: string; id: string; now: Date } & MethodEdit,
): Promise<void> {
  await db.run(sql`
    insert into user_auth_methods
      (project_id, id, label, description, icon_url, icon_type, icon, protocol, issuer, client_id, client_secret,
       trusts_email, created_at)
    values (${given.projectId}, ${given.id}, ${given.label}, ${given.description ?? ''}, ${given.iconUrl ?? ''},
      ${given.icon?.type ?? null}, ${given.icon?.bytes ?? null}, 'oidc', ${given.issuer}, ${given.clientId},
      ${given.sealedSecret}, ${given.trustsEmail ?? false}, ${given.now})`);
}

export function updateMethod(
  db: Db,
  projectId: string,
  id: string,
  { icon, ...edit }: MethodEdit,
): Promise<number> {
  const kept = {
    ...edit,
    iconType: icon === null ? null : icon?.type,
    iconBytes: icon === null ? null : icon?.bytes,
  };
  return updateRow(db, 'user_auth_methods', { project_id: projectId, id }, kept, {
    label: 'label',
    description: 'description',
    iconUrl: 'icon_url',
    iconType: 'icon_type',
    iconBytes: 'icon',
    issuer: 'issuer',
    clientId: 'client_id',
    sealedSecret: 'client_secret',
    trustsEmail: 'trusts_email',
  });
}

/** Whether users sign in with an issuer of a method. */
export async function isIssuerUsed(
  db: Db,
  { projectId, methodId, issuer }: { projectId: string; methodId: string; issuer: string },
): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from user_identities
    where project_id = ${projectId} and method_id = ${methodId} and issuer = ${issuer} limit 1`);
  return found !== undefined;
}

/** Deletes a method with its sign-ins in progress. */
export async function deleteMethod(db: Db, projectId: string, id: string): Promise<void> {
  await db.run(sql`delete from user_auth_flows where project_id = ${projectId} and method_id = ${id}`);
  await db.run(sql`delete from user_auth_methods where project_id = ${projectId} and id = ${id}`);
}

export function findIcon(db: Db, projectId: string, id: string): Promise<Icon | undefined> {
  return db.one<Icon>(sql`
    select icon_type as type, icon as bytes from user_auth_methods
    where project_id = ${projectId} and id = ${id} and icon is not null`);
}

/** The client for a sign-in with the method; the secret is still sealed. */
export interface Client {
  methodId: string;
  ownCallback: boolean;
  issuer: string;
  clientId: string;
  sealedSecret: Buffer;
}

export function findClient(db: Db, projectId: string, id: string): Promise<Client | undefined> {
  return db.one<Client>(sql`
    select id as "methodId", own_callback as "ownCallback", issuer, client_id as "clientId", client_secret as "sealedSecret" from user_auth_methods
    where project_id = ${projectId} and id = ${id}`);
}
