import { withPartitions } from '#server/infra/db/maintainPartitions.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { figurePartitions, unseen } from './historyTables.ts';
import { recordProperties } from './properties.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    rollUpStates: Record<string, never>;
  }
}

/** Number of reports that are added in one transaction. */
const reportsMax = 20_000;
/** The snapshot before the first real transaction. */
const nothingSeen = '3:3:';

/** The job that adds reported numbers to the five-minute and hourly figures. */
export function rollUpStatesJob(platform: Pick<Platform, 'db' | 'clock'>): Task<'rollUpStates'> {
  return async (_, { signal }) => {
    while (!signal?.aborted && (await rollUpSome(platform)));
  };
}

/**
 * Adds the next visible reports that are not in the figures yet; false if there are no others. The reports already
 * counted are identified by a snapshot, stored in the same transaction: so each report is counted once, even if it
 * arrives late, a job is killed, or another transaction stays open.
 */
export async function rollUpSome(
  platform: Pick<Platform, 'db' | 'clock'>,
  max = reportsMax,
): Promise<boolean> {
  return withPartitions(platform, figurePartitions, () =>
    platform.db.tx(async db => {
      const begunAt = platform.clock();
      const range = await nextRange(db, max);
      const now = platform.clock();
      const said = saidIn(range, now);
      await recordProperties(db, said);
      await addFigures(db, said);
      const { to, isLast } = range;
      if (to === undefined) await beginAnew(db, range);
      else
        await db.run(sql`
          update state_rollup set seen = ${to}::pg_snapshot, at = ${now},
            complete_at = case when ${isLast} then ${begunAt}::timestamptz else complete_at end`);
      return !isLast;
    }),
  );
}

interface Range {
  /** The snapshot of the reports that are in the figures. */
  from: string;
  since: Date;
  /** The snapshot after this step; undefined for all reports, in a restored database. */
  to: string | undefined;
  isLast: boolean;
}

async function nextRange(db: Db, max: number): Promise<Range> {
  // Serialized by a lock, and the snapshot is taken afterwards: one from before the wait for the lock could be older
  // than `seen`.
  await db.run(sql`select 1 from state_rollup for update`);
  const row = await db.one<{ from: string; since: Date; all: string; isAhead: boolean }>(sql`
    select seen::text as from, since, pg_current_snapshot()::text as all,
      pg_snapshot_xmax(seen) > pg_snapshot_xmax(pg_current_snapshot()) as "isAhead"
    from state_rollup`);
  if (!row) throw new Error('state_rollup has lost its row.');
  const { from, since, all } = row;
  if (row.isAhead) return { from, since, to: undefined, isLast: false };
  const next = await db.one<{ tx: string }>(sql`
    select tx::text as tx from state_reports
    where ${unseen(sql`state_reports`, sql`${from}::pg_snapshot`)} and pg_visible_in_snapshot(tx, ${all}::pg_snapshot)
    order by tx offset ${max} limit 1`);
  if (!next) return { from, since, to: all, isLast: true };
  return { from, since, to: upTo(all, from, BigInt(next.tx)), isLast: false };
}

/**
 * A snapshot like `all` that does not see transactions after `tx`, but at least those that `from` sees. It includes
 * transactions as a whole.
 */
function upTo(all: string, from: string, tx: bigint): string {
  const fromMax = BigInt(from.split(':')[1] ?? '');
  const max = tx + 1n > fromMax ? tx + 1n : fromMax;
  const running = (all.split(':')[2] ?? '').split(',').filter(one => one !== '' && BigInt(one) < max);
  return `${running[0] ?? max}:${max}:${running.join(',')}`;
}

/**
 * A restored database counts its transactions from a different number. From then on, reports from the backup are
 * identified by their time: all counted reports are from before the last roll-up, and all new ones from after it.
 */
async function beginAnew(db: Db, { from }: Range): Promise<void> {
  await db.run(
    sql`update state_reports set tx = '2' where ${unseen(sql`state_reports`, sql`${from}::pg_snapshot`)}`,
  );
  await db.run(sql`update state_rollup set seen = ${nothingSeen}::pg_snapshot, since = at`);
}

/** The reports of a range, without those for which a partition may no longer exist, or not exist yet. */
function saidIn({ from, to, since }: Range, now: Date): Sql {
  return sql`
    state_reports n join projects p on p.id = n.project_id and p.deleted_at is null
    join devices d on d.project_id = n.project_id and d.id = n.device_id
    cross join lateral json_each_text(n.numbers) said (property, value)
    where ${unseen(sql`n`, sql`${from}::pg_snapshot`)} and (pg_visible_in_snapshot(n.tx, ${to}::pg_snapshot) or ${to}::text is null)
      and n.ts > greatest(${since}::timestamptz, ${now}::timestamptz - interval '8 days')
      and n.ts < ${now}::timestamptz + interval '1 day'`;
}

const add = sql`
  on conflict (project_id, subject, property, at) do update set least = least(f.least, excluded.least),
    most = greatest(f.most, excluded.most), sum = f.sum + excluded.sum, count = f.count + excluded.count`;

const figures = sql`min(least) as least, max(most) as most, sum(sum) as sum, sum(count) as count`;

/** Adds figures for each device, and for all devices of a class together. */
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
