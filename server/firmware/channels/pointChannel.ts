import { defaultChannel } from '#contract/channel.ts';
import { retarget } from '#server/firmware/targets/retarget.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { recordPointed } from './recordPointed.ts';

interface Pointed {
  projectId: string;
  channelId: string;
  bundleId: string | null;
  /** The rollout that finished; otherwise the channel was edited. */
  rolloutId?: string;
  actor: { id: string; name: string } | undefined;
}

/**
 * Points a channel at a bundle, or at none, and recalculates what its devices should run. Returns the devices whose
 * target changed. The caller must have locked the channel and ended its rollouts.
 */
export async function pointChannel(
  db: Db,
  { projectId, channelId, bundleId, rolloutId, actor }: Pointed,
  now: Date,
): Promise<string[]> {
  const pointed = await db.one<{ deviceClass: string; name: string }>(sql`
    update channels set bundle_id = ${bundleId}, revision = revision + 1,
      bundle_since = ${bundleId === null ? null : now}
    where project_id = ${projectId} and id = ${channelId} returning device_class as "deviceClass", name`);
  if (!pointed) return [];
  await recordPointed(db, projectId, [{ channelId, bundleId, rolloutId, actor }], now);
  const { deviceClass, name } = pointed;
  const channel = name === defaultChannel ? '' : name;
  return retarget(db, { projectId, deviceClass, channel }, now);
}
