import { type Database, raw, sql } from '#server/db/sql.ts';
import type { Stream } from './append.ts';

/** Days an entry stays (platform: audit a year, the rest a month). */
const retentionDays: Record<Stream, number> = { audit: 365, system: 30, http: 30 };

const monthsAhead = 2;
/** Any number that nobody else takes for an advisory lock. */
const lockKey = 7_264_002;

/** Entries from then on are there; the month before it is dropped as a whole. */
export function keptFrom(stream: Stream, now: Date): Date {
  const oldest = new Date(now.getTime() - retentionDays[stream] * 86_400_000);
  return new Date(Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth(), 1));
}

/** Makes the partitions of this and the coming months and drops those whose youngest entry is past its time. */
export async function maintainPartitions(db: Database, now: Date): Promise<void> {
  for (const stream of Object.keys(retentionDays) as Stream[]) {
    for (let ahead = -1; ahead <= monthsAhead; ahead++) await makeMonth(db, stream, now, ahead);
    await dropOld(db, stream, now);
  }
}

async function makeMonth(db: Database, stream: Stream, now: Date, ahead: number): Promise<void> {
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
  const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1));
  const name = `log_entries_${stream}_${from.toISOString().slice(0, 7).replace('-', '')}`;
  // Looked for first: making a partition, even one that exists, keeps everybody from appending for a moment.
  if (await db.one(sql`select 1 as found from pg_class where oid = to_regclass(${name})`)) return;
  await alone(
    db,
    `create table if not exists ${name} partition of log_entries_${stream}
      for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
  );
}

async function dropOld(db: Database, stream: Stream, now: Date): Promise<void> {
  const parent = `log_entries_${stream}`;
  const keepFrom = `${parent}_${keptFrom(stream, now).toISOString().slice(0, 7).replace('-', '')}`;
  const partitions = await db.many<{ name: string }>(
    sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = ${parent}::regclass`,
  );
  for (const { name } of partitions) {
    if (name < keepFrom) await alone(db, `drop table if exists ${name}`);
  }
}

/**
 * Names and bounds are made of our own words and dates; DDL takes no parameters. `if exists` alone is no help against
 * another server that does the same at the same instant.
 */
async function alone(db: Database, statement: string): Promise<void> {
  await db.tx(async tx => {
    await tx.run(sql`select pg_advisory_xact_lock(${lockKey})`);
    await tx.run(sql`${raw(statement)}`);
  });
}
