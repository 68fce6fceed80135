import { type Db, sql } from '#server/infra/db/sql.ts';

interface Pointed {
  channelId: string;
  bundleId: string | null;
  rolloutId?: string | undefined;
  /** Absent for the platform. */
  actor?: { id: string; name: string } | undefined;
}

/** The history of a channel goes back this far. */
const keptMax = 200;

/** Records what channels point at from now on. */
export async function recordPointed(
  db: Db,
  projectId: string,
  pointed: readonly Pointed[],
  now: Date,
): Promise<void> {
  const channelIds = pointed.map(({ channelId }) => channelId);
  await db.run(sql`
    insert into channel_bundles as h (project_id, channel_id, at, bundle_id, bundle_name, rollout_id, actor_id, actor_name)
    select ${projectId}, c.id, ${now}, c.bundle, coalesce(b.name, ''), c.rollout, c.actor, c.actor_name
    from unnest(${channelIds}::text[], ${pointed.map(one => one.bundleId)}::text[],
      ${pointed.map(one => one.rolloutId ?? null)}::text[], ${pointed.map(one => one.actor?.id ?? null)}::text[],
      ${pointed.map(one => one.actor?.name ?? '')}::text[]) as c (id, bundle, rollout, actor, actor_name)
    left join bundles b on b.project_id = ${projectId} and b.id = c.bundle
    on conflict (project_id, channel_id, at) do update set bundle_id = excluded.bundle_id,
      bundle_name = excluded.bundle_name, rollout_id = excluded.rollout_id, actor_id = excluded.actor_id,
      actor_name = excluded.actor_name`);
  await db.run(sql`
    delete from channel_bundles h using (
      select channel_id, at, row_number() over (partition by channel_id order by at desc) as n from channel_bundles
      where project_id = ${projectId} and channel_id = any(${channelIds})) old
    where h.project_id = ${projectId} and h.channel_id = old.channel_id and h.at = old.at and old.n > ${keptMax}`);
}
