import type { Bundle, BundleUse } from '#contract/bundle.ts';
import { type Db, sql } from '#server/db/sql.ts';

const namedMax = 100;

/** What uses a bundle. Of the rollouts the newest: those that go to it, and those that would go back to it. */
export async function bundleUse(
  db: Db,
  { projectId, id, deviceCount, pinnedCount }: Bundle,
): Promise<BundleUse> {
  const channels = await db.many<BundleUse['channels'][number]>(sql`
    select id, name from channels where project_id = ${projectId} and bundle_id = ${id} order by name, id
    limit ${namedMax}`);
  const rollouts = await db.many<BundleUse['rollouts'][number]>(sql`
    select id, channel_id as "channelId", state from rollouts
    where project_id = ${projectId} and (bundle_id = ${id} or from_bundle_id = ${id}) order by id desc
    limit ${namedMax}`);
  return { channels, rollouts, deviceCount, pinnedCount };
}

export function isUsed({ channels, rollouts, deviceCount, pinnedCount }: BundleUse): boolean {
  return channels.length > 0 || rollouts.length > 0 || deviceCount > 0 || pinnedCount > 0;
}
