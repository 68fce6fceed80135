import type { Bundle, BundleUse } from '#contract/bundle.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';

const namedMax = 100;
const causesMax = 5;

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
  const failures = await db.many<BundleUse['failures'][number]>(sql`
    select coalesce(code, state) as code, count(*)::int as devices from device_targets
    where project_id = ${projectId} and bundle_id = ${id} and state in ('failed', 'lost')
    group by 1 order by 2 desc, 1 limit ${causesMax}`);
  return { channels, rollouts, deviceCount, pinnedCount, updatingCount: updating?.count ?? 0, failures };
}

export function isUsed({
  channels,
  rollouts,
  deviceCount,
  pinnedCount,
  updatingCount,
}: Omit<BundleUse, 'failures'>): boolean {
  return channels.length + rollouts.length + deviceCount + pinnedCount + updatingCount > 0;
}
