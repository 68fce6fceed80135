import { minuteMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { EventCursor } from '#server/modules/events/readNextEvents.ts';
import { forgetTransactions } from '#server/modules/smartModules/store.ts';
import { databaseNow } from '#server/people/homeEvents/readHomeEvents.ts';
import { forgetLateProjects } from './late/lateProjects.ts';

/**
 * By the clock of the database. A holder stops a little before its lease ends, so that a shard never has two holders.
 */
const leaseS = 8;
const marginS = 2;

export interface HeldShard {
  shard: number;
  cursor: EventCursor;
  /** The cursor in the database, as far as known here; the other one may be ahead. */
  saved: EventCursor;
  since: Date;
  /** How many holders in a row ended without storing anything. */
  deaths: number;
  /** By `performance.now()`. */
  untilMs: number;
}

interface Row extends EventCursor {
  shard: number;
  since: Date | null;
  deaths: number;
}

/**
 * Takes the leases of shards without a holder, and renews those of this holder. A holder that did not return its lease
 * has ended, or lost its database: that is counted.
 */
export async function takeLeases(db: Db, holder: string, shards: readonly number[]): Promise<HeldShard[]> {
  const askedMs = performance.now();
  const rows = await db.many<Row>(sql`
    update module_shards s set holder = ${holder}, lease_until = now() + make_interval(secs => ${leaseS}),
      deaths = case when s.holder in ('', ${holder}) then s.deaths else least(s.deaths + 1, 100) end
    from (
      select shard from module_shards
      where shard = any(${shards}::smallint[]) and (holder = ${holder} or lease_until < now())
      order by shard for update) o
    where s.shard = o.shard
    returning s.shard::int, s.tx::text, s.seq::text, nullif(s.since, '-infinity') as since, s.deaths::int`);
  const untilMs = askedMs + (leaseS - marginS) * 1000;
  return rows.map(({ shard, tx, seq, since, deaths }) => ({
    shard,
    untilMs,
    deaths,
    cursor: { tx, seq },
    saved: { tx, seq },
    since: since ?? new Date(0),
  }));
}

/** Returns the leases, so that another process can take them at once. */
export async function endLeases(db: Db, holder: string): Promise<void> {
  await db.run(sql`update module_shards set lease_until = '-infinity', holder = '' where holder = ${holder}`);
}

/**
 * Moves the cursor of a shard; false if another process holds the shard. Also if the cursor is not where it was: then
 * it was moved by a commit whose answer was lost, and its events must not be dispatched twice.
 */
export async function moveCursor(
  db: Db,
  holder: string,
  { shard, saved }: Pick<HeldShard, 'shard' | 'saved'>,
  { tx, seq }: EventCursor,
): Promise<boolean> {
  const moved = await db.run(sql`
    update module_shards set tx = ${tx}::text::xid8, seq = ${seq}::bigint, deaths = 0
    where shard = ${shard} and holder = ${holder}
      and tx = ${saved.tx}::text::xid8 and seq = ${saved.seq}::bigint`);
  return moved === 1;
}

/** The clocks of gateways and workers can differ by this much. */
const clocksApartMs = minuteMs;

/**
 * Resets the cursor if it was created in a different database: after a restore, transaction ids start elsewhere. Events
 * from the backup count as read; its waiting runs are executed.
 */
export async function settleRestored(db: Db, held: HeldShard, now: Date): Promise<void> {
  const { cluster, nextTx } = await databaseNow(db);
  const row = await db.one<{ cluster: string }>(sql`
    select cluster from module_shards where shard = ${held.shard}`);
  // Empty if the shard has never been read.
  const isSame = row?.cluster === cluster || row?.cluster === '';
  if (isSame && BigInt(held.cursor.tx) <= nextTx) {
    await db.run(sql`
      update module_shards set cluster = ${cluster} where shard = ${held.shard} and cluster <> ${cluster}`);
    return;
  }
  held.cursor = { tx: nextTx.toString(), seq: '0' };
  held.saved = held.cursor;
  held.since = new Date(now.getTime() - clocksApartMs);
  await forgetTransactions(db, nextTx);
  await forgetLateProjects(db, held.shard);
  await db.run(sql`
    update module_shards set tx = ${held.cursor.tx}::text::xid8, seq = 0, since = ${held.since}, cluster = ${cluster}
    where shard = ${held.shard}`);
}

/** The shards of projects that have modules. */
export async function shardsInUse(db: Db): Promise<number[]> {
  const rows = await db.many<{ shard: number }>(sql`
    select shard::int from module_shards s
    where exists (select from smart_modules where module_shard(project_id) = s.shard)`);
  return rows.map(({ shard }) => shard);
}
