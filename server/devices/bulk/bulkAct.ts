import { publishLive } from '#server/api/http/live.ts';
import { appendEntries } from '#server/api/logs/append.ts';
import { moveDevices, suspendDevices } from '#server/devices/devices/changeDevices.ts';
import { removeDevices } from '#server/devices/devices/deleteDevice.ts';
import { channelKept } from '#server/devices/devices/device.ts';
import { systemEntry } from '#server/devices/log/systemLog.ts';
import { giveTimeToSpeak } from '#server/devices/presence/resumed.ts';
import { mustHaveChannels } from '#server/firmware/channels/mustHaveChannel.ts';
import { retarget } from '#server/firmware/targets/retarget.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { ActionRow } from './bulkStore.ts';

/** At most this many devices are named in live events for lists. */
const namedMax = 100;

type Act = Pick<ActionRow, 'projectId' | 'action' | 'asked'>;

/** Applies the action to locked devices, and returns those it changed. */
export async function act(
  db: Db,
  platform: Platform,
  { projectId, action, asked }: Act,
  ids: readonly string[],
  now: Date,
): Promise<string[]> {
  if (ids.length === 0) return [];
  if (action === 'delete') {
    await removeDevices(db, projectId, ids);
    return [...ids];
  }
  if (action === 'move') {
    const channel = channelKept(asked.channel ?? '');
    await mustHaveChannels(db, { projectId, ids, channel });
    const moved = await moveDevices(db, projectId, ids, channel);
    await retarget(db, { projectId, deviceIds: moved }, now);
    return moved;
  }
  const suspended = action === 'suspend';
  const others = await suspendDevices(db, projectId, ids, suspended);
  if (!suspended) await giveTimeToSpeak(db, projectId, others, now);
  const entries = others.map(deviceId =>
    systemEntry({ projectId, deviceId, actor: asked.actor, now }, suspended ? 'suspended' : 'resumed'),
  );
  if (entries.length > 0) await appendEntries(db, platform, entries);
  return others;
}

/** Ends connections that are no longer allowed, and notifies consoles that show the devices. */
export function publishAct(platform: Platform, { projectId, action }: Act, ids: readonly string[]): void {
  const notice = { kind: action === 'move' ? 'target' : 'access' } as const;
  for (const id of ids) notifyDevice(platform, id, notice);
  if (ids.length === 0) return;
  publishLive(platform, projectId, { kind: 'devices', deviceIds: ids.length > namedMax ? null : [...ids] });
}
