import { type Db, sql } from '#server/infra/db/sql.ts';

/** The counts of one key between two flushes. */
export interface CountedKey {
  keyId: string;
  /** By day and capability, or by day and `refused`. */
  uses: Map<string, { calls: number; at: Date }>;
  /** By day and address. */
  addresses: Map<string, number>;
  /** By hash: previous secrets that were used. */
  previous: Map<string, { hash: Buffer; uses: number; at: Date; address: string }>;
  refusals: { at: Date; method: string; path: string; reason: string; address: string }[];
  last: { at: Date; address: string } | undefined;
}

/** Number of addresses that are counted separately, per key and day. */
const addressesMax = 200;
/** Number of refusals that are stored per key. */
export const refusalsMax = 20;
/** Stands for all addresses beyond `addressesMax`. */
export const otherAddresses = 'others';

/** Adds counts to the tables, except for keys that were deleted meanwhile. */
export async function recordKeyUses(db: Db, all: readonly CountedKey[]): Promise<void> {
  // Locked, because a key that is deleted meanwhile would make the counts of all other keys fail.
  const keys = await db.many<{ id: string }>(sql`
    select id from keys where id = any(${all.map(({ keyId }) => keyId)}) order by id for no key update`);
  const kept = new Set(keys.map(({ id }) => id));
  const counted = all.filter(({ keyId }) => kept.has(keyId));
  if (counted.length === 0) return;
  await addUses(db, counted);
  await addAddresses(db, counted);
  await addRefusals(db, counted);
  await touchKeys(db, counted);
  await countPrevious(db, counted);
}

async function addUses(db: Db, counted: readonly CountedKey[]): Promise<void> {
  const rows = counted.flatMap(({ keyId, uses }) =>
    [...uses].map(([key, use]) => ({ keyId, ...dayOf(key), ...use })),
  );
  await db.run(sql`
    insert into key_uses as u (project_id, key_id, day, kind, calls, last_at)
    select k.project_id, k.id, c.day, c.kind, c.calls, c.at
    from unnest(${rows.map(({ keyId }) => keyId)}::text[], ${rows.map(({ day }) => day)}::date[],
      ${rows.map(({ rest }) => rest)}::text[], ${rows.map(({ calls }) => calls)}::bigint[],
      ${rows.map(({ at }) => at)}::timestamptz[]) as c (key_id, day, kind, calls, at)
    join keys k on k.id = c.key_id
    on conflict (project_id, key_id, day, kind) do update set
      calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at)`);
}

async function addAddresses(db: Db, counted: readonly CountedKey[]): Promise<void> {
  const rows = counted.flatMap(({ keyId, addresses }) =>
    [...addresses].map(([key, calls]) => ({ keyId, ...dayOf(key), calls })),
  );
  if (rows.length === 0) return;
  await db.run(sql`
    insert into key_addresses as a (project_id, key_id, day, address, calls)
    select t.project_id, t.key_id, t.day, t.address, sum(t.calls) from (
      select k.project_id, k.id as key_id, c.day, c.calls, case
        when exists (select from key_addresses
          where project_id = k.project_id and key_id = k.id and day = c.day and address = c.address) then c.address
        when (select count(*) from key_addresses where project_id = k.project_id and key_id = k.id and day = c.day)
          < ${addressesMax} then c.address
        else ${otherAddresses} end as address
      from unnest(${rows.map(({ keyId }) => keyId)}::text[], ${rows.map(({ day }) => day)}::date[],
        ${rows.map(({ rest }) => rest)}::text[], ${rows.map(({ calls }) => calls)}::bigint[])
        as c (key_id, day, address, calls)
      join keys k on k.id = c.key_id) as t
    group by t.project_id, t.key_id, t.day, t.address
    on conflict (project_id, key_id, day, address) do update set calls = a.calls + excluded.calls`);
}

async function addRefusals(db: Db, counted: readonly CountedKey[]): Promise<void> {
  const refused = counted.filter(({ refusals }) => refusals.length > 0);
  const rows = refused.flatMap(({ keyId, refusals }) => refusals.map(one => ({ keyId, ...one })));
  if (rows.length === 0) return;
  await db.run(sql`
    insert into key_refusals (project_id, key_id, ts, method, path, reason, address)
    select k.project_id, k.id, c.ts, c.method, c.path, c.reason, c.address
    from unnest(${rows.map(({ keyId }) => keyId)}::text[], ${rows.map(({ at }) => at)}::timestamptz[],
      ${rows.map(({ method }) => method)}::text[], ${rows.map(({ path }) => path.slice(0, 500))}::text[],
      ${rows.map(({ reason }) => reason)}::text[], ${rows.map(({ address }) => address)}::text[])
      as c (key_id, ts, method, path, reason, address)
    join keys k on k.id = c.key_id order by c.ts`);
  await db.run(sql`
    delete from key_refusals r using (
      select project_id, key_id, id, row_number() over (partition by project_id, key_id order by ts desc, id desc) as n
      from key_refusals where (project_id, key_id) in (
        select project_id, id from keys where id = any(${refused.map(({ keyId }) => keyId)}))) as old
    where old.n > ${refusalsMax} and r.project_id = old.project_id and r.key_id = old.key_id and r.id = old.id`);
}

async function touchKeys(db: Db, counted: readonly CountedKey[]): Promise<void> {
  const used = counted.flatMap(({ keyId, last }) => (last ? [{ keyId, ...last }] : []));
  if (used.length === 0) return;
  await db.run(sql`
    update keys k set last_used_at = c.at, last_used_from = c.address
    from unnest(${used.map(({ keyId }) => keyId)}::text[], ${used.map(({ at }) => at)}::timestamptz[],
      ${used.map(({ address }) => address)}::text[]) as c (key_id, at, address)
    where k.id = c.key_id and (k.last_used_at is null or k.last_used_at <= c.at)`);
}

/** Counts nothing for a secret that is no longer the previous one. */
async function countPrevious(db: Db, counted: readonly CountedKey[]): Promise<void> {
  for (const { keyId, previous } of counted)
    for (const { hash, uses, at, address } of previous.values())
      await db.run(sql`
        update keys set previous_uses = previous_uses + ${uses}, previous_used_at = ${at},
          previous_used_from = ${address} where id = ${keyId} and previous_hash = ${hash}`);
}

/** Splits a key such as `2026-11-22 canAdmin`. */
function dayOf(key: string): { day: string; rest: string } {
  return { day: key.slice(0, 10), rest: key.slice(11) };
}
