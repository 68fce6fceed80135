import { Problem } from '#contract/problem.ts';
import { noBackupRuns } from '#server/db/backupLock.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Task } from '#server/jobs/jobs.ts';
import type { Platform } from '#server/platform.ts';
import type { Slice } from '#server/slice.ts';
import type { Written } from '#server/storage/storage.ts';

declare module '#server/jobs/enqueue.ts' {
  interface Jobs {
    removeFiles: Record<string, never>;
  }
}

/** Longer than any upload may take. */
const keptWithinMs = 2 * 3_600_000;
const batch = 100;
/** When one that could not be removed is tried again. */
const againMs = 3_600_000;

export interface Received extends Written {
  place: string;
}

/**
 * A place for a file that nobody keeps yet. What is there stays when `keepFile` is called in the transaction that names
 * the place, and else goes again, also if we are killed meanwhile.
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

/** Writes a file to such a place. */
export async function receiveFile(
  platform: Pick<Platform, 'db' | 'storage' | 'newId' | 'clock'>,
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Received> {
  const place = await reservePlace(platform);
  return { place, ...(await platform.storage.write(place, source, bytesMax)) };
}

export async function keepFile(db: Db, place: string): Promise<void> {
  const kept = await db.run(sql`delete from unkept_files where place = ${place}`);
  if (kept === 0) throw new Error('The file was removed before it was stored.');
}

/** A place that the transaction stops naming. */
export async function letGo(db: Db, place: string): Promise<void> {
  await db.run(sql`select let_go(${place})`);
}

/** A received file that is not to be kept. */
export async function dropFile({ db, clock }: Pick<Platform, 'db' | 'clock'>, place: string): Promise<void> {
  await db.run(sql`update unkept_files set due_at = ${clock()} where place = ${place}`);
}

type Removing = Pick<Platform, 'db' | 'storage' | 'clock' | 'log'>;

/** The job. While the store does not answer, it is tried again each minute. */
export function removeFilesJob(platform: Removing): Task<'removeFiles'> {
  const { db, clock } = platform;
  return async (_payload, { signal }) => {
    while (!signal?.aborted) {
      const due = await db.many<{ place: string }>(sql`
        select place from unkept_files where due_at <= ${clock()} order by due_at limit ${batch}`);
      // A backup that began before these were due may still come to read them. Asked after the list was read: one that
      // begins later does not know them.
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
 * In a transaction, so that whoever keeps the file at the same instant is either first, and it stays, or learns that it is
 * gone. One that cannot be removed lets the others go first.
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
