import { dayMs, weekMs } from '#rules/time/durations.ts';
import { errorCode } from '#server/infra/errorCode.ts';
import type { Platform } from '#server/infra/platform.ts';
import { noBackupRuns } from './backupLock.ts';
import { type Database, type Db, raw, sql } from './sql.ts';

/** A table partitioned by time, so that rows past their retention are dropped as a whole. */
export interface Partitioned {
  table: string;
  by: 'day' | 'week' | 'month';
  /** The minimum time a row is kept: a partition is dropped when its youngest row is older. */
  keptDays: number;
  /** Its slice drops its expired partitions itself, with `dropExpired`: there is something to do before. */
  isDroppedBySlice?: true;
}

/** Weeks begin on Monday. */
const firstMonday = Date.UTC(1970, 0, 5);
/**
 * Partitions before the current one, for clocks that are behind, and those created ahead of time. Days get a week
 * either way.
 */
const room = { day: { behind: 7, ahead: 7 }, week: { behind: 1, ahead: 3 }, month: { behind: 1, ahead: 2 } };
/** An arbitrary key for an advisory lock. */
const lockKey = 7_264_017;

/**
 * Creates the partitions of the current and coming days, weeks or months, and drops those whose retention is over: only
 * by a time that is trusted, because they do not come back.
 */
export async function maintainPartitions(
  db: Database,
  tables: readonly Partitioned[],
  now: Date,
  trusted = now,
): Promise<void> {
  await createPartitions(db, tables, now);
  for (const declared of tables) if (!declared.isDroppedBySlice) await dropExpired(db, declared, trusted);
}

/** For a process that starts, or writes at a time that has no partition: its clock may be wrong, so nothing is dropped. */
export async function createPartitions(
  db: Database,
  tables: readonly Partitioned[],
  now: Date,
): Promise<void> {
  const there = new Set((await partitionsOf(db, tables)).map(({ name }) => name));
  for (const declared of tables) {
    const { behind, ahead } = room[declared.by];
    for (let at = -behind; at <= ahead; at++) {
      // Checked first: creating a partition, even one that exists, blocks all writers for a moment.
      if (!there.has(nameOf(declared, now, at))) await alone(db, making(declared, now, at));
    }
  }
}

export async function dropExpired(db: Database, declared: Partitioned, now: Date): Promise<void> {
  for (const name of await findExpired(db, declared, now)) await alone(db, `drop table if exists ${name}`);
}

/** The names of the partitions whose retention is over. */
export async function findExpired(db: Db, declared: Partitioned, now: Date): Promise<string[]> {
  const oldest = nameOf(declared, keptFrom(declared, now));
  const there = await partitionsOf(db, [declared]);
  return there.map(({ name }) => name).filter(name => name < oldest);
}

/** The time from which rows are kept: earlier partitions are dropped as a whole. */
export function keptFrom({ by, keptDays }: Partitioned, now: Date): Date {
  return beginOf(by, new Date(now.getTime() - keptDays * dayMs));
}

/** Whether partitions exist for rows of these times. */
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

/**
 * Runs work that writes rows of the current time. After a clock change or weeks of sleep, their partition may be
 * missing.
 */
export async function withPartitions<T>(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  tables: readonly Partitioned[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOutOfPartitions(error)) throw error;
    await createPartitions(db, tables, clock());
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

/** The start of the day, week or month that contains this time, or of a later one. */
function beginOf(by: Partitioned['by'], at: Date, ahead = 0): Date {
  if (by === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1));
  if (by === 'day') return new Date((Math.floor(at.getTime() / dayMs) + ahead) * dayMs);
  const week = Math.floor((at.getTime() - firstMonday) / weekMs) + ahead;
  return new Date(firstMonday + week * weekMs);
}

/**
 * Names and bounds are built from our own words and dates, because DDL takes no parameters. `if exists` alone does not
 * help if another server does the same at the same moment. Each statement has its own transaction, so that writers wait
 * no longer than it takes. While a backup reads the tables, the statement would wait for it, and all writers with it:
 * as partitions are created long in advance, it is left for the next hour.
 */
async function alone(db: Database, statement: string): Promise<void> {
  await db.tx(async tx => {
    if (!(await noBackupRuns(tx))) return;
    await tx.run(sql`select pg_advisory_xact_lock(${lockKey})`);
    await tx.run(sql`${raw(statement)}`);
  });
}
