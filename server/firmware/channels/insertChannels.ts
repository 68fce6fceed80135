import type { Channel } from '#contract/channel.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { recordPointed } from './recordPointed.ts';

export type NewChannel = Pick<Channel, 'id' | 'deviceClass' | 'name'> & {
  description?: string | undefined;
  bundleId?: string | undefined;
};

/** Adds channels that the class does not have yet, and returns how many it added. `actor`: absent for the platform. */
export async function insertChannels(
  db: Db,
  projectId: string,
  channels: readonly NewChannel[],
  now: Date,
  actor?: { id: string; name: string },
): Promise<number> {
  const column = (of: (one: NewChannel) => string | null) => channels.map(of);
  const added = await db.many<{ id: string }>(sql`
    insert into channels (project_id, created_at, id, device_class, name, description, bundle_id, bundle_since)
    select ${projectId}, ${now}, made.*, case when made.bundle is not null then ${now}::timestamptz end from unnest(
      ${column(one => one.id)}::text[], ${column(one => one.deviceClass)}::text[],
      ${column(one => one.name)}::text[], ${column(one => one.description ?? '')}::text[],
      ${column(one => one.bundleId ?? null)}::text[]) as made (id, class, name, description, bundle)
    on conflict (project_id, device_class, name) do nothing returning id`);
  const isAdded = new Set(added.map(({ id }) => id));
  const pointed = channels.flatMap(({ id: channelId, bundleId }) =>
    bundleId !== undefined && isAdded.has(channelId) ? [{ channelId, bundleId, actor }] : [],
  );
  if (pointed.length > 0) await recordPointed(db, projectId, pointed, now);
  return added.length;
}
