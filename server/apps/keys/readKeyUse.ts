import { type Capability, capabilities } from '#contract/endpoint.ts';
import type { Key, KeyUse } from '#contract/key.ts';
import { keyUseDays } from '#rules/time/retention.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { refusalsMax } from './recordKeyUses.ts';

const addressesMax = 20;

interface UseRow {
  day: string;
  kind: string;
  calls: number;
  lastAt: Date;
}

/** The use of a key over the last days, including today. */
export async function useOf(db: Db, key: Key, now: Date): Promise<KeyUse> {
  const to = dayOf(now);
  const from = dayOf(daysBefore(now, keyUseDays - 1));
  const since = { projectId: key.projectId, id: key.id, from };
  const uses = await usesOf(db, since);
  const ofKind = (kind: string) => uses.filter(use => use.kind === kind);
  const used = capabilities.map(capability => usedFor(capability, ofKind(capability), { key, now }));
  return {
    from,
    to,
    calls: sum(used),
    capabilities: used,
    refused: { count: sum(ofKind('refused')), latest: await refusalsOf(db, since) },
    addresses: await addressesOf(db, since),
  };
}

function usedFor(
  capability: Capability,
  uses: readonly UseRow[],
  { key, now }: { key: Key; now: Date },
): KeyUse['capabilities'][number] {
  const lastUsedAt = uses.at(-1)?.lastAt.toISOString();
  const advice = key[capability] && isAdvised(key, now) ? adviceFor(uses.length) : undefined;
  return {
    capability,
    calls: sum(uses),
    days: uses.map(({ day, calls }) => ({ day, calls })),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    ...(advice && { advice }),
  };
}

/** A newer key gets no advice: it may still come to use its capabilities. */
function isAdvised({ createdAt, adviceSnoozedUntil }: Key, now: Date): boolean {
  if (adviceSnoozedUntil !== undefined && new Date(adviceSnoozedUntil) > now) return false;
  return new Date(createdAt) <= daysBefore(now, keyUseDays);
}

function adviceFor(days: number): 'unused' | 'rare' | undefined {
  if (days === 0) return 'unused';
  return days === 1 ? 'rare' : undefined;
}

const sum = (counted: readonly { calls: number }[]) => counted.reduce((all, { calls }) => all + calls, 0);
const dayOf = (time: Date) => time.toISOString().slice(0, 10);

interface Since {
  projectId: string;
  id: string;
  from: string;
}

/** Returns the oldest day first. */
function usesOf(db: Db, { projectId, id, from }: Since): Promise<UseRow[]> {
  return db.many<UseRow>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, kind, calls::float8 as calls, last_at as "lastAt" from key_uses
    where project_id = ${projectId} and key_id = ${id} and day >= ${from}::date order by key_uses.day`);
}

async function refusalsOf(db: Db, { projectId, id, from }: Since): Promise<KeyUse['refused']['latest']> {
  const rows = await db.many<{ ts: Date; method: string; path: string; reason: string; address: string }>(sql`
    select ts, method, path, reason, address from key_refusals
    where project_id = ${projectId} and key_id = ${id} and ts >= ${from}::date
    order by ts desc, id desc limit ${refusalsMax}`);
  return rows.map(row => ({ ...row, ts: row.ts.toISOString() }));
}

function addressesOf(db: Db, { projectId, id, from }: Since): Promise<KeyUse['addresses']> {
  return db.many(sql`
    select address, sum(calls)::float8 as calls from key_addresses
    where project_id = ${projectId} and key_id = ${id} and day >= ${from}::date
    group by address order by 2 desc, 1 limit ${addressesMax}`);
}

/** One day more than is read, because days are in UTC. */
const keptDays = keyUseDays + 1;

export const keyUseChores: Chore[] = [
  {
    name: 'uses of keys',
    deletes: now => sql`
      delete from key_uses where (project_id, key_id, day, kind) in (
        select project_id, key_id, day, kind from key_uses where day < ${daysBefore(now, keptDays)}::date limit ${batch})
      returning 1`,
  },
  {
    name: 'addresses of keys',
    deletes: now => sql`
      delete from key_addresses where (project_id, key_id, day, address) in (
        select project_id, key_id, day, address from key_addresses where day < ${daysBefore(now, keptDays)}::date
        limit ${batch}) returning 1`,
  },
  {
    name: 'refusals of keys',
    deletes: now => sql`
      delete from key_refusals where (project_id, key_id, id) in (
        select project_id, key_id, id from key_refusals where ts < ${daysBefore(now, keptDays)} limit ${batch})
      returning 1`,
  },
];
