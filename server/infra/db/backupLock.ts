import { type Db, sql } from './sql.ts';

/** An arbitrary key for an advisory lock, held by a backup while it runs. */
export const backupLockKey = 7_264_045;

/**
 * Whether no backup is running. Inside a transaction, no backup can start before the transaction ends. What a backup
 * reads must not be dropped or removed in the meantime; work that can wait is left for the next time.
 */
export async function noBackupRuns(db: Db): Promise<boolean> {
  const row = await db.one<{ free: boolean }>(sql`
    select pg_try_advisory_xact_lock_shared(${backupLockKey}) as free`);
  return row?.free === true;
}
