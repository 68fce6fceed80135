import { withPartitions } from '#server/db/maintainPartitions.ts';
import { type Db, type Sql, sql } from '#server/db/sql.ts';
import type { Task } from '#server/jobs/jobs.ts';
import type { Platform } from '#server/platform.ts';
import { figurePartitions } from './historyTables.ts';
import { noteProperties } from './properties.ts';

declare module '#server/jobs/enqueue.ts' {
  interface Jobs {
    rollUpStates: Record<string, never>;
  }
}

/** Reports that are added in one transaction. */
const reportsMax = 20_000;
/** The first transaction that is one. */
const firstTx = '3';

/** The job that adds reported numbers to the five-minute and hourly figures. */
export function rollUpStatesJob(platform: Pick<Platform, 'db' | 'clock'>): Task<'rollUpStates'> {
  return async (_, { signal }) => {
    while (!signal?.aborted && (await rollUpSome(platform)));
  };
}

/**
 * Adds the reports of the next transactions, those before which none runs any more; false: there are no others. The cursor
 * moves in the same transaction, so that each report is counted once, also one that comes late or when a job is killed.
 */
export async function rollUpSome(
  platform: Pick<Platform, 'db' | 'clock'>,
  max = reportsMax,
): Promise<boolean> {
  return withPartitions(platform, figurePartitions, () =>
    platform.db.tx(async db => {
      const now = platform.clock();
      const range = await nextRange(db, max);
      if (range === undefined) return false;
      const said = saidIn(range, now);
      await noteProperties(db, said);
      await addFigures(db, said);
      const { to } = range;
      if (to === undefined) await beginAnew(db, range);
      else await db.run(sql`update state_rollup set tx = ${to}::text::xid8, at = ${now}`);
      return !range.isLast;
    }),
  );
}

interface Range {
  from: string;
  since: Date;
  /** Undefined: all there are, in a database that was restored. */
  to: string | undefined;
  isLast: boolean;
}

/** Undefined: there is nothing new. */
async function nextRange(db: Db, max: number): Promise<Range | undefined> {
  // One at a time.
  const row = await db.one<{ from: string; since: Date; until: string; isAhead: boolean }>(sql`
    select tx::text as from, since, pg_snapshot_xmin(pg_current_snapshot())::text as until,
      tx > pg_snapshot_xmax(pg_current_snapshot()) as "isAhead"
    from state_rollup for update`);
  if (!row) return undefined;
  const { from, since, until } = row;
  if (row.isAhead) return { from, since, to: undefined, isLast: false };
  if (BigInt(from) >= BigInt(until)) return undefined;
  const next = await db.one<{ tx: string }>(sql`
    select tx::text as tx from state_numbers
    where tx >= ${from}::text::xid8 and tx < ${until}::text::xid8 order by tx offset ${max} limit 1`);
  if (!next) return { from, since, to: until, isLast: true };
  // Of a transaction all or nothing, however much it wrote.
  const to = BigInt(next.tx) > BigInt(from) ? BigInt(next.tx) : BigInt(from) + 1n;
  return { from, since, to: to.toString(), isLast: false };
}

/**
 * A database that was restored counts its transactions anew. What came with the backup is told by its time from then on:
 * all that it had added is from before it did so last, and all that is new from after.
 */
async function beginAnew(db: Db, { from }: Range): Promise<void> {
  await db.run(sql`update state_numbers set tx = '2' where tx >= ${from}::text::xid8`);
  await db.run(sql`update state_rollup set tx = ${firstTx}::text::xid8, since = at`);
}

/** The reports of a range; without those for which no partition may be there any more, or yet. */
function saidIn({ from, to, since }: Range, now: Date): Sql {
  return sql`
    state_numbers n join projects p on p.id = n.project_id and p.deleted_at is null
    join devices d on d.project_id = n.project_id and d.id = n.device_id
    cross join lateral jsonb_each_text(n.numbers) said (property, value)
    where n.tx >= ${from}::text::xid8 and (n.tx < ${to}::text::xid8 or ${to}::text is null)
      and n.ts > greatest(${since}::timestamptz, ${now}::timestamptz - interval '8 days')
      and n.ts < ${now}::timestamptz + interval '1 day'`;
}

const add = sql`
  on conflict (project_id, subject, property, at) do update set least = least(f.least, excluded.least),
    most = greatest(f.most, excluded.most), sum = f.sum + excluded.sum, count = f.count + excluded.count`;

const figures = sql`min(least) as least, max(most) as most, sum(sum) as sum, sum(count) as count`;

/** Of each device, and of all devices of a class together. */
async function addFigures(db: Db, said: Sql): Promise<void> {
  await db.run(sql`
    with figures as materialized (
      select n.project_id, n.device_id, d.device_class, said.property,
        date_bin('5 minutes', n.ts, '2000-01-01T00:00:00Z') as at, min(said.value::float8) as least,
        max(said.value::float8) as most, sum(said.value::float8) as sum, count(*) as count
      from ${said} and exists (
        select from state_properties k
        where k.project_id = n.project_id and k.property = said.property and k.is_kept)
      group by 1, 2, 3, 4, 5),
    subjects as materialized (
      select project_id, device_id as subject, property, at, least, most, sum, count from figures
      union all
      select project_id, 'class:' || device_class, property, at, ${figures} from figures group by 1, 2, 3, 4),
    minutes as (
      insert into state_minutes as f (project_id, subject, property, at, least, most, sum, count)
      select * from subjects ${add})
    insert into state_hours as f (project_id, subject, property, at, least, most, sum, count)
    select project_id, subject, property, date_bin('1 hour', at, '2000-01-01T00:00:00Z'), ${figures}
    from subjects group by 1, 2, 3, 4 ${add}`);
}
