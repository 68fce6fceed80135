import { defaultChannel } from '#contract/channel.ts';
import { sql } from '#server/infra/db/sql.ts';

/** The value that devices of a channel `c` have in their row: an empty text for the default channel. */
export const channelKey = sql`(case when c.name = ${defaultChannel} then '' else c.name end)`;

/** The devices `d` that follow the channel `c` of a rollout `r`; pinned and suspended devices do not. */
export const followsChannel = sql`
  d.project_id = r.project_id and d.device_class = r.device_class and d.channel = ${channelKey}
  and d.bundle_pinned is null and not d.suspended`;

/**
 * Those devices that the rollout would change, with their target `t`: excludes devices that already run the bundle; for
 * a rollback, devices that do not run the bundle of that rollout; and if downgrades are left out, devices with a newer
 * bundle. Never null, because it is also asked for those that are left out: a device whose versions are in no bundle
 * has none installed.
 */
export const isChangedByIt = sql`
  (d.bundle_installed is distinct from r.bundle_id or t.bundle_id is distinct from r.bundle_id)
  and (r.rolls_back is null or coalesce(r.from_bundle_id in (t.bundle_id, d.bundle_installed), false))
  and (not r.leaves_out_downgrades or not exists (
    select from bundles has, bundles gets
    where has.project_id = d.project_id and has.id = d.bundle_installed
      and gets.project_id = r.project_id and gets.id = r.bundle_id and has.created_at > gets.created_at))`;

export const placeBelow = (percent: ReturnType<typeof sql>) =>
  sql`rollout_place(r.id, d.id) < round(${percent} * 100)`;
