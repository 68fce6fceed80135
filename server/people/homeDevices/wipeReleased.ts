import { publishLive } from '#server/api/http/live.ts';
import type { All, Released } from '#server/api/slice.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { isExported } from '#server/people/exports/exportStore.ts';

interface Payload {
  projectId: string;
  /** `from` is when the device joined the home that it left. */
  devices: { id: string; deviceClass: string; from: string }[];
  /** The devices have been notified already. */
  isTold?: true;
}

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    wipeReleased: Payload;
  }
}

const exportedAgainMs = 15_000;

/**
 * Job that notifies devices that they were released, and deletes what each slice has from their time in the home, in
 * batches. It is idempotent, so a job that is killed starts over.
 */
export function wipeReleasedJob(
  platform: Platform,
  { wipesReleased }: Pick<All, 'wipesReleased'>,
): Task<'wipeReleased'> {
  return async ({ projectId, devices, isTold }, { signal }) => {
    const deviceIds = devices.map(({ id }) => id);
    if (!isTold) {
      for (const id of deviceIds) notifyDevice(platform, id, { kind: 'released' });
      publishLive(platform, projectId, { kind: 'devices', deviceIds });
    }
    // A user's running export still reads these messages, which belong to that user's home: retry once it is done.
    if (await isExported(platform.db, projectId, deviceIds)) {
      const runAt = new Date(platform.clock().getTime() + exportedAgainMs);
      return enqueue(platform.db, 'wipeReleased', { projectId, devices, isTold: true }, { runAt });
    }
    for (const [at, device] of devices.entries()) {
      if (signal?.aborted)
        return enqueue(platform.db, 'wipeReleased', { projectId, devices: devices.slice(at) });
      const past = await pastOf(platform, projectId, device);
      for (const wipe of wipesReleased) while (await wipe(platform.db, past));
    }
  };
}

async function pastOf(
  { db, clock }: Platform,
  projectId: string,
  { id: deviceId, deviceClass, from }: Payload['devices'][number],
): Promise<Released> {
  const until = (await claimedSince(db, projectId, deviceId)) ?? clock();
  return { projectId, deviceId, deviceClass, from: new Date(from), until };
}

/**
 * When the device was claimed for its next home, if it was. Messages sent between the two homes are deleted as well.
 */
async function claimedSince(db: Db, projectId: string, deviceId: string): Promise<Date | undefined> {
  const row = await db.one<{ since: Date | null }>(sql`
    select owned_since as since from devices where project_id = ${projectId} and id = ${deviceId}`);
  return row?.since ?? undefined;
}
