import type { KvPair } from '#contract/deviceClass.ts';
import { kvBytesMax, kvPairsMax } from '#contract/deviceClass.ts';
import { Problem } from '#contract/problem.ts';
import { isDeviceClassKey } from '#rules/devices/deviceClassKey.ts';
import { kvAllBytesMax } from '#rules/devices/gatewayLimits.ts';
import { refuseStale } from '#server/api/endpoints/ifMatch.ts';
import type { Call, PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, empty, raw, sql } from '#server/infra/db/sql.ts';

/** The owner of the pairs: a class or a device. */
export type KvOwner =
  | { of: 'class'; projectId: string; id: string }
  | { of: 'device'; projectId: string; id: string };

export interface KvRow {
  key: string;
  value: KvPair['value'];
  updatedAt: Date;
  revision: number;
}

const columns = sql`key, value, updated_at as "updatedAt", revision`;
const tableOf = (owner: KvOwner) => raw(owner.of === 'class' ? 'device_class_kv' : 'device_kv');
const idColumn = (owner: KvOwner) => raw(owner.of === 'class' ? 'device_class' : 'device_id');
const owned = (owner: KvOwner) => sql`project_id = ${owner.projectId} and ${idColumn(owner)} = ${owner.id}`;

const orders: Record<string, string> = { key: byName('key'), updatedAt: 'updated_at' };

export async function pairsOf(
  db: Db,
  owner: KvOwner,
  page: PageAsked,
): Promise<{ items: KvPair[]; total: number }> {
  const matching = sql`from ${tableOf(owner)} where ${owned(owner)} ${page.search ? found(page.search) : empty}`;
  const rows = await db.many<KvRow>(sql`
    select ${columns} ${matching}
    order by ${raw(`${orders[page.sortBy]} ${page.descending ? 'desc' : 'asc'}`)}, key
    limit ${page.limit} offset ${page.skip}`);
  const counted = await db.one<{ total: number }>(sql`select count(*)::int as total ${matching}`);
  return { items: rows.map(toPair), total: counted?.total ?? 0 };
}

function found(search: string) {
  return sql`and ${contains(sql`search_text(key)`, search)}`;
}

export async function findPair(db: Db, owner: KvOwner, key: string): Promise<KvPair | undefined> {
  refuseInvalid(key);
  const row = await db.one<KvRow>(
    sql`select ${columns} from ${tableOf(owner)} where ${owned(owner)} and key = ${key}`,
  );
  return row && toPair(row);
}

type Writing = Pick<Call, 'db' | 'ifMatch' | 'now'> & { before?: Call['before'] };

/**
 * Writes a pair. The owner's row must be locked, so that the checks of `If-Match`, the count and `create`
 * remain valid until the write.
 */
export async function writePair(
  call: Writing,
  owner: KvOwner,
  given: { key: string; value: KvPair['value']; create?: boolean | undefined },
): Promise<KvPair> {
  const { db, now } = call;
  const { key, value, create } = given;
  const before = await findPair(db, owner, key);
  if (value === null) throw new Problem('NULL_VALUE');
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > kvBytesMax)
    throw new Problem('TOO_LARGE', { message: 'The value is larger than 64 KiB.' });
  if (create && before) throw new Problem('KEY_TAKEN');
  refuseStalePair(call, before);
  await refuseTooMuch(db, owner, key, text);
  const row = await db.one<KvRow>(sql`
    insert into ${tableOf(owner)} as kv (project_id, ${idColumn(owner)}, key, value, updated_at)
    values (${owner.projectId}, ${owner.id}, ${key}, ${text}, ${now})
    on conflict (project_id, ${idColumn(owner)}, key) do update
      set value = excluded.value, updated_at = excluded.updated_at, revision = kv.revision + 1
    returning ${columns}`);
  if (!row) throw new Problem('KV_PAIR_NOT_FOUND');
  call.before = { id: owner.id, ...before };
  return toPair(row);
}

/** Adds pairs to owners that were created in the same transaction. */
export async function insertPairs(
  db: Db,
  { of, projectId }: Pick<KvOwner, 'of' | 'projectId'>,
  pairs: readonly { ownerId: string; key: string; value: unknown }[],
  now: Date,
): Promise<void> {
  if (pairs.length === 0) return;
  const [table, owner] = of === 'class' ? ['device_class_kv', 'device_class'] : ['device_kv', 'device_id'];
  await db.run(sql`
    insert into ${raw(table)} (project_id, updated_at, ${raw(owner)}, key, value)
    select ${projectId}, ${now}, made.owner, made.key, made.value::json from unnest(
      ${pairs.map(({ ownerId }) => ownerId)}::text[], ${pairs.map(({ key }) => key)}::text[],
      ${pairs.map(({ value }) => JSON.stringify(value))}::text[]) as made (owner, key, value)`);
}

export async function deletePair(call: Writing, owner: KvOwner, key: string): Promise<void> {
  const before = await findPair(call.db, owner, key);
  if (!before) throw new Problem('KV_PAIR_NOT_FOUND');
  refuseStalePair(call, before);
  await call.db.run(sql`delete from ${tableOf(owner)} where ${owned(owner)} and key = ${key}`);
  call.before = { id: owner.id, ...before };
}

/** A missing pair has no revision, so `If-Match` cannot match. */
function refuseStalePair(call: Writing, before: KvPair | undefined): void {
  refuseStale(call, before ?? {});
}

/** Devices receive all pairs in one message, and small devices have little memory. */
async function refuseTooMuch(db: Db, owner: KvOwner, key: string, text: string): Promise<void> {
  const others = await db.one<{ count: number; bytes: number }>(sql`
    select count(*)::int as count, coalesce(sum(octet_length(value::text)), 0)::int as bytes
    from ${tableOf(owner)} where ${owned(owner)} and key <> ${key}`);
  if ((others?.count ?? 0) >= kvPairsMax) throw new Problem('TOO_MANY_PAIRS');
  if ((others?.bytes ?? 0) + Buffer.byteLength(text) > kvAllBytesMax)
    throw new Problem('TOO_LARGE', { message: 'All values together can have at most 1 MiB.' });
}

function refuseInvalid(key: string): void {
  if (!isDeviceClassKey(key)) throw new Problem('INVALID_KEY');
}

export function toPair({ updatedAt, ...pair }: KvRow): KvPair {
  return { ...pair, updatedAt: updatedAt.toISOString() };
}
