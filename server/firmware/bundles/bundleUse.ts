import type { Bundle, BundleUse } from '#contract/bundle.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';

const namedMax = 100;

/**
 * What uses a bundle. Rollouts that have ended are history and do not count; devices that had begun to install when a
 * rollout was stopped do count.
 */
export async function bundleUse(
  db: Db,
  { projectId, id, deviceCount, pinnedCount }: Bundle,
): Promise<BundleUse> {
  const channels = await db.many<BundleUse['channels'][number]>(sql`
    select id, name from channels where project_id = ${projectId} and bundle_id = ${id} order by ${raw(byName('name'))}, id
    limit ${namedMax}`);
  const rollouts = await db.many<BundleUse['rollouts'][number]>(sql`
    select id, channel_id as "channelId", state from rollouts
    where project_id = ${projectId} and (bundle_held = ${id} or from_bundle_held = ${id}) order by id desc
    limit ${namedMax}`);
  const updating = await db.one<{ count: number }>(sql`
    select count(*)::int as count from device_targets where project_id = ${projectId} and bundle_id = ${id}
      and state not in ('done', 'failed', 'declined', 'none')`);
  return { channels, rollouts, deviceCount, pinnedCount, updatingCount: updating?.count ?? 0 };
}

export function isUsed({ channels, rollouts, deviceCount, pinnedCount, updatingCount }: BundleUse): boolean {
  return channels.length + rollouts.length + deviceCount + pinnedCount + updatingCount > 0;
}
