import { dayMs } from '#rules/time/durations.ts';
import type { Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    wipeHistories: { projectId: string; deviceIds: string[] };
  }
}

/** Larger than other batches, because a device has a row for every five minutes. */
const rowsAtOnce = 10 * batch;

/**
 * Deletes the history of a device in a period, in batches. Reports are deleted first: once they are gone and no roll-up
 * is running, no figures can be computed from them again. An hour that is partly in the period is deleted completely.
 */
export async function wipeHistory(db: Platform['db'], past: Omit<Released, 'deviceClass'>): Promise<boolean> {
  const { projectId, deviceId, from, until } = past;
  const ofDevice = sql`project_id = ${projectId} and device_id = ${deviceId} and ts >= ${from} and ts < ${until}`;
  const first = sql`date_bin('1 hour', ${from}::timestamptz, '2000-01-01T00:00:00Z')`;
  const ofSubject = sql`project_id = ${projectId} and subject = ${deviceId} and at >= ${first} and at < ${until}`;
  const deletes = [
    (run: Db) =>
      run.run(sql`
      delete from state_reports where (tableoid, ctid) in (
        select tableoid, ctid from state_reports where ${ofDevice} limit ${rowsAtOnce})`),
    (run: Db) =>
      run.run(sql`
      delete from state_minutes where (tableoid, ctid) in (
        select tableoid, ctid from state_minutes where ${ofSubject} limit ${rowsAtOnce})`),
    (run: Db) =>
      run.run(sql`
      delete from state_hours where (tableoid, ctid) in (
        select tableoid, ctid from state_hours where ${ofSubject} limit ${rowsAtOnce})`),
  ];
  for (const some of deletes) {
    await db.run(sql`select 1 from state_rollup for share`);
    while ((await some(db)) > 0);
  }
  return false;
}

/** Called in the transaction that deletes the devices. */
export function forgetHistories(db: Db, projectId: string, deviceIds: readonly string[]): Promise<void> {
  return enqueue(db, 'wipeHistories', { projectId, deviceIds: [...deviceIds] });
}

/** Job that deletes the histories of deleted devices. Idempotent. */
export function wipeHistoriesJob({ db, clock }: Pick<Platform, 'db' | 'clock'>): Task<'wipeHistories'> {
  return async ({ projectId, deviceIds }, { signal }) => {
    const until = new Date(clock().getTime() + dayMs);
    for (const [at, deviceId] of deviceIds.entries()) {
      if (signal?.aborted) return enqueue(db, 'wipeHistories', { projectId, deviceIds: deviceIds.slice(at) });
      await wipeHistory(db, { projectId, deviceId, from: new Date(0), until });
    }
  };
}
