import { type Database, type Db, raw, sql } from '#server/db/sql.ts';
import { errorCode } from '#server/errorCode.ts';
import type { Platform } from '#server/platform.ts';

/** What devices said, and when they came and went, stays so long. */
export const keptDays = 30;

const tables = ['device_events', 'presence_changes'] as const;
const weekMs = 7 * 86_400_000;
/** A Monday, so that weeks begin as people have them. */
const firstMonday = Date.UTC(1970, 0, 5);
/** Weeks before this one that somebody whose clock is behind may write to, and weeks made ahead. */
const weeks = { behind: 1, ahead: 3 };
/** Any number that nobody else takes for an advisory lock. */
const lockKey = 7_264_017;

/** Makes the partitions of this and the coming weeks, and drops those whose youngest row has had its time. */
export async function maintainDevicePartitions(db: Database, now: Date): Promise<void> {
  const there = await partitionsOf(db);
  const wanted = tables.flatMap(table => {
    const count = weeks.behind + 1 + weeks.ahead;
    return Array.from({ length: count }, (_, i) => partition(table, now, i - weeks.behind));
  });
  const missing = wanted.filter(({ name }) => !there.includes(name));
  const past = there.filter(name =>
    tables.some(table => name.startsWith(table) && name < lastKept(table, now)),
  );
  if (missing.length + past.length === 0) return;
  await db.tx(async tx => {
    // `if exists` alone is no help against another server that does the same at the same instant.
    await tx.run(sql`select pg_advisory_xact_lock(${lockKey})`);
    for (const { statement } of missing) await tx.run(sql`${raw(statement)}`);
    for (const name of past) await tx.run(sql`${raw(`drop table if exists ${name}`)}`);
  });
}

/** Whether there is room for rows of these times. */
export async function hasPartitions(db: Db, times: readonly Date[]): Promise<boolean> {
  const names = new Set(tables.flatMap(table => times.map(at => nameOf(table, weekOf(at.getTime())))));
  const missing = await db.one(sql`
    select 1 as found from unnest(${[...names]}::text[]) as name where to_regclass(name) is null limit 1`);
  return !missing;
}

/** Runs work that writes rows of now. A clock that was set, or weeks of sleep, can leave it without a partition. */
export async function withPartitions<T>(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOutOfPartitions(error)) throw error;
    await maintainDevicePartitions(db, clock());
    return work();
  }
}

function isOutOfPartitions(error: unknown): boolean {
  return errorCode(error) === '23514' && error instanceof Error && error.message.includes('no partition');
}

async function partitionsOf(db: Db): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent in ('device_events'::regclass, 'presence_changes'::regclass)`);
  return rows.map(({ name }) => name);
}

function partition(table: string, now: Date, ahead: number): { name: string; statement: string } {
  const from = weekOf(now.getTime() + ahead * weekMs);
  const to = new Date(from.getTime() + weekMs);
  const name = nameOf(table, from);
  const bounds = `for values from ('${from.toISOString()}') to ('${to.toISOString()}')`;
  return { name, statement: `create table if not exists ${name} partition of ${table} ${bounds}` };
}

function lastKept(table: string, now: Date): string {
  return nameOf(table, weekOf(now.getTime() - keptDays * 86_400_000));
}

function weekOf(ms: number): Date {
  return new Date(firstMonday + Math.floor((ms - firstMonday) / weekMs) * weekMs);
}

function nameOf(table: string, week: Date): string {
  return `${table}_${week.toISOString().slice(0, 10).replaceAll('-', '')}`;
}
