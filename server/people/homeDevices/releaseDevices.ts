import type { Released } from '#contract/homeDevice.ts';
import { type Actor, appendEntries } from '#server/api/logs/append.ts';
import { dropOpenCommands } from '#server/devices/commands/wipeCommands.ts';
import { takeFromHomes } from '#server/devices/devices/homeOfDevices.ts';
import { systemEntry } from '#server/devices/log/systemLog.ts';
import { wipeStates } from '#server/devices/state/wipeStates.ts';
import { forgetAnswers } from '#server/firmware/targets/answerUpdate.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Platform } from '#server/infra/platform.ts';

export interface Releasing {
  projectId: string;
  /** Devices without a home are ignored. */
  deviceIds: readonly string[];
  now: Date;
  /** Who releases the devices; absent for the platform itself. */
  actor?: Actor;
}

const platformItself: Actor = { callerType: 'agent', id: 'mooring', displayName: 'Mooring' };

/**
 * Releases devices from their homes, in the caller's transaction. Nobody in the home can see its messages to and from
 * these devices any longer: states and open commands are deleted with the release; events, alerts and other commands
 * are deleted by a job. Until then they are hidden from the next owner, because they are older than `ownedSince`. The
 * job also notifies the devices, after the commit.
 */
export async function releaseDevices(
  db: Db,
  platform: Pick<Platform, 'newId'>,
  { projectId, deviceIds, now, actor = platformItself }: Releasing,
): Promise<Released[]> {
  const left = await takeFromHomes(db, projectId, deviceIds);
  if (left.length === 0) return [];
  const ids = left.map(({ id }) => id);
  await dropOpenCommands(db, projectId, ids);
  await wipeStates(db, projectId, ids);
  await forgetAnswers(db, projectId, ids);
  const entryOf = (deviceId: string) => systemEntry({ projectId, deviceId, actor, now }, 'released');
  await appendEntries(db, platform, ids.map(entryOf));
  await enqueue(db, 'wipeReleased', {
    projectId,
    devices: left.map(({ id, deviceClass, ownedSince }) => ({
      id,
      deviceClass,
      from: ownedSince.toISOString(),
    })),
  });
  return left.map(({ id, claimCode }) => ({ deviceId: id, claimCode }));
}
