import { Problem } from '#contract/problem.ts';
import { hourMs } from '#rules/time/durations.ts';
import type { Slice } from '#server/api/slice.ts';
import { noBackupRuns } from '#server/infra/db/backupLock.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Written } from '#server/infra/storage/storage.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    removeFiles: Record<string, never>;
  }
}

/** Longer than the time limit of any upload. */
const keptWithinMs = 2 * hourMs;
const batch = 100;
/** The delay before a failed removal is retried. */
const againMs = hourMs;

export interface Received extends Written {
  place: string;
}

/**
 * Reserves a place for a file. The file stays only if `confirmFile` is called in the transaction that stores the place;
 * otherwise it is removed later, even if this process is killed.
 */
export async function reservePlace({
  db,
  newId,
  clock,
}: Pick<Platform, 'db' | 'newId' | 'clock'>): Promise<string> {
  const place = newId('fil');
  await db.run(sql`
    insert into unkept_files (place, due_at) values (${place}, ${new Date(clock().getTime() + keptWithinMs)})`);
  return place;
}

/** Writes a file to a reserved place. */
export async function receiveFile(
  platform: Pick<Platform, 'db' | 'storage' | 'newId' | 'clock'>,
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Received> {
  const place = await reservePlace(platform);
  return { place, ...(await platform.storage.write(place, source, bytesMax)) };
}

export async function confirmFile(db: Db, place: string): Promise<void> {
  const kept = await db.run(sql`delete from unkept_files where place = ${place}`);
  if (kept === 0) throw new Error('The file was removed before it was stored.');
}

/** Marks a file for removal, in the transaction that deletes the reference to its place. */
export async function letGo(db: Db, place: string): Promise<void> {
  await db.run(sql`select let_go(${place})`);
}

/** Makes a received file due for removal at once, because it will not be kept. */
export async function dropFile({ db, clock }: Pick<Platform, 'db' | 'clock'>, place: string): Promise<void> {
  await db.run(sql`update unkept_files set due_at = ${clock()} where place = ${place}`);
}

type Removing = Pick<Platform, 'db' | 'storage' | 'clock' | 'log'>;

/** The job that removes due files. While the store is unavailable, it is retried every minute. */
export function removeFilesJob(platform: Removing): Task<'removeFiles'> {
  const { db, clock } = platform;
  return async (_payload, { signal }) => {
    while (!signal?.aborted) {
      const due = await db.many<{ place: string }>(sql`
        select place from unkept_files where due_at <= ${clock()} order by due_at limit ${batch}`);
      // A backup that began before these files were due may still read them. Checked after reading the list, because a
      // backup that begins later does not contain them.
      if (!(await noBackupRuns(db))) return;
      for (const { place } of due) {
        if (signal?.aborted) return;
        await remove(platform, place);
      }
      if (due.length < batch) return;
    }
  };
}

/**
 * Removes a file in a transaction, so that a concurrent `confirmFile` either comes first, and the file stays, or fails
 * because the file is gone. A file that cannot be removed is postponed, so that it does not block the others.
 */
async function remove({ db, storage, clock, log }: Removing, place: string): Promise<void> {
  try {
    await db.tx(async tx => {
      const unkept = await tx.run(sql`
        delete from unkept_files where place = ${place} and due_at <= ${clock()}`);
      if (unkept > 0) await storage.remove(place);
    });
  } catch (error) {
    if (error instanceof Problem && error.reason === 'UNAVAILABLE') throw error;
    log('warn', 'A file could not be removed', { place, error: String(error) });
    await db.run(sql`
      update unkept_files set due_at = ${new Date(clock().getTime() + againMs)} where place = ${place}`);
  }
}

export const files: Slice = {
  platformTables: {
    unkept_files: 'A stored file without a row that refers to it; removed when due.',
  },
  idPrefixes: ['fil'],
  jobs: platform => ({ tasks: { removeFiles: removeFilesJob(platform) } }),
  schedule: [{ task: 'removeFiles', at: '* * * * *' }],
};
