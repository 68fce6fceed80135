import { defaultChannel } from '#contract/channel.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/**
 * Rejects a channel that the class does not have; `stable`, an empty string in devices, need not exist. Locks the
 * channel until the device follows it, so that a concurrent change of its bundle does not miss the device.
 */
export async function mustHaveChannel(
  db: Db,
  { projectId, deviceClass, channel }: { projectId: string; deviceClass: string; channel: string },
): Promise<void> {
  const found = await db.one(sql`
    select 1 as found from channels
    where project_id = ${projectId} and device_class = ${deviceClass} and name = ${channel || defaultChannel}
    for share`);
  if (!found && channel !== '') throw unknownChannel();
}

/** The same for devices of several classes, each of which has its own channels. */
export async function mustHaveChannels(
  db: Db,
  { projectId, ids, channel }: { projectId: string; ids: readonly string[]; channel: string },
): Promise<void> {
  const classes = await db.many<{ deviceClass: string }>(sql`
    select distinct device_class as "deviceClass" from devices where project_id = ${projectId} and id = any(${ids})`);
  for (const { deviceClass } of classes) await mustHaveChannel(db, { projectId, deviceClass, channel });
}

export const unknownChannel = () =>
  new Problem('CHANNEL_NOT_FOUND', { fields: { channel: 'CHANNEL_NOT_FOUND' } });
