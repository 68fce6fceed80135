import type { BodyOf } from '#contract/endpoint.ts';
import { capabilityDefaults, type editKey, type Key, keysMax } from '#contract/key.ts';
import type { Resource } from '#server/api/access/access.ts';
import { checkRoom, findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { type KeyRow, keyColumns, toKey } from './keyRow.ts';

declare module '#server/api/access/access.ts' {
  interface Rows {
    key: Key;
  }
}

export const keyResource: Resource<Key> = {
  notFound: 'KEY_NOT_FOUND',
  async find(db, { keyId = '' }, caller) {
    return findInProject(db, caller, {
      columns: keyColumns(caller.now),
      from: sql`keys k`,
      alias: 'k',
      where: sql`k.id = ${keyId}`,
      as: toKey,
    });
  },
};

const orders: Record<string, string> = {
  name: byName('k.name'),
  createdAt: 'k.created_at',
  lastUsedAt: `coalesce(k.last_used_at, '-infinity')`,
};

export async function keysOf(
  db: Db,
  projectId: string,
  { page, now }: { page: PageAsked; now: Date },
): Promise<{ items: Key[]; total: number }> {
  return pageOf(db, {
    columns: keyColumns(now),
    from: sql`keys k`,
    where: sql`k.project_id = ${projectId} ${page.search ? sql`and ${contains(sql`k.search`, page.search)}` : empty}`,
    orders,
    key: sql`k.id`,
    page,
    as: toKey,
  });
}

export async function findKeyRow(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
  now: Date,
): Promise<Key | undefined> {
  const row = await db.one<KeyRow>(sql`
    select ${keyColumns(now)} from keys k where k.project_id = ${projectId} and k.id = ${id}`);
  return row && toKey(row);
}

export interface Secret {
  hash: Buffer;
  end: string;
}

/** The stored fields of a key; absent fields are not changed. */
export type KeyEdit = BodyOf<typeof editKey>;

export async function insertKey(
  db: Db,
  given: {
    projectId: string;
    id: string;
    name: string;
    secret: Secret;
    createdBy: string;
    now: Date;
  } & KeyEdit,
): Promise<void> {
  await checkRoom(db, given.projectId, { table: 'keys', max: keysMax, reason: 'TOO_MANY_KEYS' });
  const may = { ...capabilityDefaults, ...withoutAbsent(given) };
  await db.run(sql`
    insert into keys
      (project_id, id, name, description, can_send_commands, can_send_events, can_handle_byou, can_update_kv_stores,
       can_admin, secret_hash, secret_end, secret_created_at, addresses, expires_at, created_at, created_by)
    values (${given.projectId}, ${given.id}, ${given.name}, ${given.description ?? ''}, ${may.canSendCommands},
      ${may.canSendEvents}, ${may.canHandleBYOU}, ${may.canUpdateKVStores}, ${may.canAdmin}, ${given.secret.hash},
      ${given.secret.end}, ${given.now}, ${given.addresses ?? []}, ${given.expiresAt ?? null}, ${given.now},
      ${given.createdBy})`);
}

export function updateKey(
  db: Db,
  { projectId, id }: Pick<Key, 'projectId' | 'id'>,
  { addresses, ...edit }: KeyEdit,
): Promise<number> {
  const kept = { ...edit, addresses: addresses && sql`${addresses}` };
  return updateRow(db, 'keys', { project_id: projectId, id }, kept, {
    name: 'name',
    description: 'description',
    suspended: 'suspended',
    canSendCommands: 'can_send_commands',
    canSendEvents: 'can_send_events',
    canHandleBYOU: 'can_handle_byou',
    canUpdateKVStores: 'can_update_kv_stores',
    canAdmin: 'can_admin',
    addresses: 'addresses',
    expiresAt: 'expires_at',
    adviceSnoozedUntil: 'advice_snoozed_until',
  });
}

/** The current secret becomes the previous one; the former previous secret stops working. */
export function rotateSecret(
  db: Db,
  key: Pick<Key, 'projectId' | 'id'>,
  { secret, until, now }: { secret: Secret; until: Date; now: Date },
): Promise<number> {
  return change(
    db,
    key,
    sql`previous_hash = secret_hash, previous_end = secret_end, previous_until = ${until}, previous_uses = 0,
      previous_used_at = null, previous_used_from = null, secret_hash = ${secret.hash}, secret_end = ${secret.end},
      secret_created_at = ${now}`,
  );
}

export function extendPrevious(db: Db, key: Pick<Key, 'projectId' | 'id'>, until: string): Promise<number> {
  return change(db, key, sql`previous_until = ${until}`);
}

export function endPrevious(db: Db, key: Pick<Key, 'projectId' | 'id'>): Promise<number> {
  return change(db, key, sql`previous_hash = null, previous_end = null, previous_until = null`);
}

function change(db: Db, { projectId, id }: Pick<Key, 'projectId' | 'id'>, set: Sql): Promise<number> {
  return db.run(sql`
    update keys set ${set}, revision = revision + 1 where project_id = ${projectId} and id = ${id}`);
}

export async function deleteKey(db: Db, { projectId, id }: Pick<Key, 'projectId' | 'id'>): Promise<void> {
  await db.run(sql`delete from keys where project_id = ${projectId} and id = ${id}`);
}

function withoutAbsent<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}
