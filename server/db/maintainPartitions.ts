import { noBackupRuns } from '#server/db/backupLock.ts';
import { type Database, type Db, raw, sql } from '#server/db/sql.ts';
import { errorCode } from '#server/errorCode.ts';
import type { Platform } from '#server/platform.ts';

/** A table that is split by time, so that what has had its time (its retention) goes as a whole. */
export interface Partitioned {
  table: string;
  by: 'day' | 'week' | 'month';
  /** A row stays at least so long: a partition is dropped when its youngest row is older. */
  keptDays: number;
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** Weeks begin as people have them. */
const firstMonday = Date.UTC(1970, 0, 5);
/** One before this one, for somebody whose clock is behind, and those that are made ahead; of days a week, as of all else. */
const room = { day: { behind: 7, ahead: 7 }, week: { behind: 1, ahead: 3 }, month: { behind: 1, ahead: 2 } };
/** An arbitrary key for an advisory lock. */
const lockKey = 7_264_017;

/** Makes the partitions of this and the coming days, weeks or months, and drops those whose youngest row has had its time. */
export async function maintainPartitions(
  db: Database,
  tables: readonly Partitioned[],
  now: Date,
): Promise<void> {
  const there = await partitionsOf(db, tables);
  for (const declared of tables) {
    const own = there.filter(({ table }) => table === declared.table).map(({ name }) => name);
    const { behind, ahead } = room[declared.by];
    for (let at = -behind; at <= ahead; at++) {
      // Looked for first: making a partition, even one that exists, keeps everybody from writing for a moment.
      if (!own.includes(nameOf(declared, now, at))) await alone(db, making(declared, now, at));
    }
    const oldest = nameOf(declared, keptFrom(declared, now));
    for (const name of own) if (name < oldest) await alone(db, `drop table if exists ${name}`);
  }
}

/** Rows from then on are there: the partition before it is dropped as a whole. */
export function keptFrom({ by, keptDays }: Partitioned, now: Date): Date {
  return beginOf(by, new Date(now.getTime() - keptDays * dayMs));
}

/** Whether there is room for rows of these times. */
export async function hasPartitions(
  db: Db,
  tables: readonly Partitioned[],
  times: readonly Date[],
): Promise<boolean> {
  const names = new Set(tables.flatMap(table => times.map(at => nameOf(table, at))));
  const missing = await db.one(sql`
    select 1 as found from unnest(${[...names]}::text[]) as name where to_regclass(name) is null limit 1`);
  return !missing;
}

/** Runs work that writes rows of now. A clock that was set, or weeks of sleep, can leave it without a partition. */
export async function withPartitions<T>(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  tables: readonly Partitioned[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOutOfPartitions(error)) throw error;
    await maintainPartitions(db, tables, clock());
    return work();
  }
}

function isOutOfPartitions(error: unknown): boolean {
  return errorCode(error) === '23514' && error instanceof Error && error.message.includes('no partition');
}

function partitionsOf(db: Db, tables: readonly Partitioned[]): Promise<{ table: string; name: string }[]> {
  return db.many(sql`
    select inhparent::regclass::text as table, inhrelid::regclass::text as name
    from pg_inherits where inhparent = any(${tables.map(({ table }) => table)}::regclass[])`);
}

function making(declared: Partitioned, now: Date, ahead: number): string {
  const { table, by } = declared;
  const [from, to] = [beginOf(by, now, ahead), beginOf(by, now, ahead + 1)].map(at => at.toISOString());
  const name = nameOf(declared, now, ahead);
  return `create table if not exists ${name} partition of ${table} for values from ('${from}') to ('${to}')`;
}

function nameOf({ table, by }: Partitioned, at: Date, ahead = 0): string {
  const digits = beginOf(by, at, ahead)
    .toISOString()
    .slice(0, by === 'month' ? 7 : 10);
  return `${table}_${digits.replaceAll('-', '')}`;
}

/** When the day, week or month begins that this time is in, or one of those that follow it. */
function beginOf(by: Partitioned['by'], at: Date, ahead = 0): Date {
  if (by === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1));
  if (by === 'day') return new Date((Math.floor(at.getTime() / dayMs) + ahead) * dayMs);
  const week = Math.floor((at.getTime() - firstMonday) / weekMs) + ahead;
  return new Date(firstMonday + week * weekMs);
}

/**
 * Names and bounds are made of our own words and dates; DDL takes no parameters. `if exists` alone is no help against
 * another server that does the same at the same instant. One statement a transaction: writers wait no longer than it.
 * While a backup reads the tables, the statement would wait for it, and all writers with it: partitions are made long
 * ahead, so that it is left for the next hour.
 */
async function alone(db: Database, statement: string): Promise<void> {
  await db.tx(async tx => {
    if (!(await noBackupRuns(tx))) return;
    await tx.run(sql`select pg_advisory_xact_lock(${lockKey})`);
    await tx.run(sql`${raw(statement)}`);
  });
}
