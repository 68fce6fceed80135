import { type Sql, sql } from './sql.ts';

/**
 * The oldest transaction of a snapshot may belong to another database of the same PostgreSQL and stay open for hours.
 * So this checks to which database each running transaction belongs: each holds a lock on itself. One without a lock,
 * because it has just begun or ended, counts as our own.
 */
const oldestOfOurs = sql`coalesce((
  select running from pg_snapshot_xip(now.snapshot) running
  where not exists (
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted and l.transactionid = running::xid
      and a.datid <> (select oid from pg_database where datname = current_database()))
  order by running limit 1), pg_snapshot_xmax(now.snapshot))`;

const snapshot = sql`(select pg_current_snapshot() as snapshot offset 0) now`;

/**
 * For readers that follow the order of transactions: no earlier transaction of this database is still running, so a
 * reader never skips a row that is committed late. Two evaluations may differ, even within one statement.
 */
export const settled: Sql = sql`(select ${oldestOfOurs} from ${snapshot})`;

/** The same for a reader that has already read up to `known`: never less than that, so that nothing is read twice. */
export const settledFrom = (known: Sql): Sql => sql`(
  select case when pg_snapshot_xmin(now.snapshot) > ${known} then pg_snapshot_xmin(now.snapshot)
    else greatest(${known}, ${oldestOfOurs}) end
  from ${snapshot})`;
