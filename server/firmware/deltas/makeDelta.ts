import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Problem } from '#contract/problem.ts';
import { confirmFile, dropFile, type Received, receiveFile } from '#server/api/files/receiveFile.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { deltaShareMax, deltaTo, fileOfDelta } from './deltaOf.ts';
import { findWanted, saveReady, saveUseless, type Wanted, whoWaits } from './deltaStore.ts';
import { type DeltaKey, whoseDeltaIsMade } from './requestDeltas.ts';

/** The job that creates a delta, verifies that it restores the new file, and notifies devices that still wait. */
export function makeDeltaJob(platform: Platform): Task<'makeDelta'> {
  return async (key, { isLast, signal }) => {
    const { db, log } = platform;
    const wanted = await findWanted(db, key);
    if (!wanted) return;
    let made: Received | undefined;
    try {
      made = await make(platform, wanted, signal);
    } catch (error) {
      // The server is stopping: another process starts again.
      if (signal?.aborted)
        return enqueue(db, 'makeDelta', key, { queue: 'makeDelta', maxAttempts: 5, runAt: platform.clock() });
      if (!isLast) throw error;
      log('error', 'A firmware delta could not be made', { ...key, error: String(error) });
    }
    if (!made) {
      await saveUseless(db, key);
      return notifyWaiting(platform, key);
    }
    const { place } = made;
    const isSaved = await db.tx(async tx => {
      const saved = await saveReady(tx, key, made);
      if (saved) await confirmFile(tx, place);
      return saved;
    });
    if (!isSaved) return dropFile(platform, place);
    await notifyWaiting(platform, key);
  };
}

/** Notifies waiting devices, whether there is a delta or not; those that wait for another delta are notified later. */
async function notifyWaiting(platform: Platform, key: DeltaKey): Promise<void> {
  const { db, clock } = platform;
  const ids = await whoWaits(db, key);
  const devices = ids.map(deviceId => ({ projectId: key.projectId, deviceId }));
  const later = new Set(await whoseDeltaIsMade(db, devices, clock()));
  for (const id of ids) if (!later.has(id)) notifyDevice(platform, id, { kind: 'target' });
}

/** Returns undefined if the delta would save too little. */
async function make(
  platform: Platform,
  { oldPlace, oldBytes, oldSha256, place, bytes, sha256 }: Wanted,
  signal: AbortSignal | undefined,
): Promise<Received | undefined> {
  const { storage } = platform;
  const old = await wholeFile(platform, { place: oldPlace, bytes: oldBytes, sha256: oldSha256 });
  const made = await withStream(
    await storage.read(place),
    deltaTo(old, bytes),
    delta => receiveFile(platform, delta, Math.floor(bytes * deltaShareMax)),
    signal,
  ).catch((error: unknown) => {
    if (error instanceof Problem && error.reason === 'TOO_LARGE') return undefined;
    throw error;
  });
  if (!made) return undefined;
  const hash = createHash('sha256');
  await withStream(
    await storage.read(made.place),
    fileOfDelta(old),
    async file => {
      for await (const chunk of file) hash.update(chunk);
    },
    signal,
  );
  if (hash.digest('hex') === sha256) return made;
  await dropFile(platform, made.place);
  throw new Error('The delta does not give back the file.');
}

async function wholeFile(
  { storage }: Platform,
  { place, bytes, sha256 }: { place: string; bytes: number; sha256: string },
): Promise<Buffer> {
  const file = Buffer.allocUnsafe(bytes);
  let at = 0;
  for await (const chunk of await storage.read(place)) at += (chunk as Buffer).copy(file, at);
  if (createHash('sha256').update(file.subarray(0, at)).digest('hex') !== sha256)
    throw new Error('The old file is not as it was uploaded.');
  return file;
}

/** Pipes the source through a stream, and closes both however reading ends. */
async function withStream<T>(
  source: NodeJS.ReadableStream,
  through: ReturnType<typeof deltaTo>,
  read: (out: AsyncIterable<Uint8Array>) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let failure: unknown;
  const flow = pipeline(source, through, { ...(signal && { signal }) }).catch((error: unknown) => {
    failure = error;
  });
  try {
    return await read(through);
  } catch (error) {
    through.destroy();
    await flow;
    throw error instanceof Problem ? error : (failure ?? error);
  } finally {
    await flow;
  }
}
