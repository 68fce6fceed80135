import { type Sql, sql } from './sql.ts';

/**
 * The oldest transaction of a snapshot may be of another database of the same PostgreSQL, where it may stay open for hours.
 * So it is looked at whose the running ones are: each holds a lock on itself. One that is not found there, because it has
 * just begun or ended, counts as our own.
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
 * For readers in the order of transactions: before this one none of this database runs any more, so that no row of one that
 * commits late is passed by. Asked twice, even within one statement, it may answer differently.
 */
export const settled: Sql = sql`(select ${oldestOfOurs} from ${snapshot})`;

/** The same for a reader that has come to `known` already: never before that, or it would read again what it has read. */
export const settledFrom = (known: Sql): Sql => sql`(
  select case when pg_snapshot_xmin(now.snapshot) > ${known} then pg_snapshot_xmin(now.snapshot)
    else greatest(${known}, ${oldestOfOurs}) end
  from ${snapshot})`;
