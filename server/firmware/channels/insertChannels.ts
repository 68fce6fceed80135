import type { Channel } from '#contract/channel.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

export type NewChannel = Pick<Channel, 'id' | 'deviceClass' | 'name'> & {
  description?: string | undefined;
  bundleId?: string | undefined;
};

/** Adds channels that the class does not have yet, and returns how many it added. */
export async function insertChannels(
  db: Db,
  projectId: string,
  channels: readonly NewChannel[],
  now: Date,
): Promise<number> {
  const column = (of: (one: NewChannel) => string | null) => channels.map(of);
  return db.run(sql`
    insert into channels (project_id, created_at, id, device_class, name, description, bundle_id, bundle_since)
    select ${projectId}, ${now}, made.*, case when made.bundle is not null then ${now}::timestamptz end from unnest(
      ${column(one => one.id)}::text[], ${column(one => one.deviceClass)}::text[],
      ${column(one => one.name)}::text[], ${column(one => one.description ?? '')}::text[],
      ${column(one => one.bundleId ?? null)}::text[]) as made (id, class, name, description, bundle)
    on conflict (project_id, device_class, name) do nothing`);
}
