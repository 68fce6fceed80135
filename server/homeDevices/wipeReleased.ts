import { wipeAlerts } from '#server/alerts/wipeAlerts.ts';
import { tellDevice } from '#server/bus/deviceNotices.ts';
import { wipeCommands } from '#server/commands/wipeCommands.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { wipeDesiredChanges } from '#server/desiredChanges/wipeDesiredChanges.ts';
import { wipeQuarantine } from '#server/deviceClasses/wipeQuarantine.ts';
import { wipeEvents } from '#server/deviceEvents/wipeEvents.ts';
import { tellLive } from '#server/http/live.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { Task } from '#server/jobs/jobs.ts';
import { wipeChanges } from '#server/moduleEvents/wipeChanges.ts';
import { wipeRuleStates } from '#server/moduleRules/wipeRuleStates.ts';
import { wipeRuns } from '#server/moduleRuns/wipeRuns.ts';
import type { Platform } from '#server/platform.ts';
import { wipeHistory } from '#server/stateHistory/wipeHistory.ts';
import { isExported } from '#server/userExports/exportStore.ts';

interface Payload {
  projectId: string;
  /** `from` is when the device joined the home that it left. */
  devices: { id: string; deviceClass: string; from: string }[];
  /** The devices have been notified already. */
  isTold?: true;
}

declare module '#server/jobs/enqueue.ts' {
  interface Jobs {
    wipeReleased: Payload;
  }
}

const exportedAgainMs = 15_000;

/**
 * Job that notifies devices that they were released, and deletes the messages from their time in the home, in batches.
 * It is idempotent, so a job that is killed starts over.
 */
export function wipeReleasedJob(platform: Platform): Task<'wipeReleased'> {
  return async ({ projectId, devices, isTold }, { signal }) => {
    const deviceIds = devices.map(({ id }) => id);
    if (!isTold) {
      for (const id of deviceIds) tellDevice(platform, id, { kind: 'released' });
      tellLive(platform, projectId, { kind: 'devices', deviceIds });
    }
    // A user's running export still reads these messages, which belong to that user's home: retry once it is done.
    if (await isExported(platform.db, projectId, deviceIds)) {
      const runAt = new Date(platform.clock().getTime() + exportedAgainMs);
      return enqueue(platform.db, 'wipeReleased', { projectId, devices, isTold: true }, { runAt });
    }
    for (const [at, device] of devices.entries()) {
      if (signal?.aborted)
        return enqueue(platform.db, 'wipeReleased', { projectId, devices: devices.slice(at) });
      await wipe(platform, projectId, device);
    }
  };
}

async function wipe(
  { db, clock }: Platform,
  projectId: string,
  { id: deviceId, deviceClass, from }: Payload['devices'][number],
): Promise<void> {
  const until = (await claimedSince(db, projectId, deviceId)) ?? clock();
  const past = { projectId, deviceId, from: new Date(from), until };
  while (await wipeEvents(db, past));
  while (await wipeAlerts(db, past));
  while (await wipeCommands(db, past));
  while (await wipeDesiredChanges(db, past));
  while (await wipeChanges(db, past));
  while (await wipeRuns(db, past));
  await wipeRuleStates(db, past);
  await wipeHistory(db, past);
  await wipeQuarantine(db, { ...past, deviceClass });
}

/**
 * When the device was claimed for its next home, if it was. Messages sent between the two homes are deleted as well.
 */
async function claimedSince(db: Db, projectId: string, deviceId: string): Promise<Date | undefined> {
  const row = await db.one<{ since: Date | null }>(sql`
    select owned_since as since from devices where project_id = ${projectId} and id = ${deviceId}`);
  return row?.since ?? undefined;
}
