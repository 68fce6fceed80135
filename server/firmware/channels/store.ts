import { type Channel, type ChannelName, defaultChannel, type editChannel } from '#contract/channel.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf, updateRow } from '#server/infra/db/rows.ts';
import { type Db, empty, raw, sql } from '#server/infra/db/sql.ts';

/** Devices of a channel are counted up to this limit. */
const countedMax = 10_000;
/** Failures of a channel are counted up to this limit. */
const failedMax = 1_000;
/** How many of the blocking devices are named. */
const namedMax = 5;

interface RowOf {
  id: string;
  projectId: string;
  name: string;
  description: string;
  deviceClass: string;
  bundleId: string | null;
  bundleName: string | null;
  bundleSince: Date | null;
  deviceCount: number;
  failedCount: number;
  rolloutId: string | null;
  createdAt: Date;
  revision: number;
}

/** The value that devices store for a channel of this name. */
export const followedName = (name: string) => (name === defaultChannel ? '' : name);

const columns = sql`
  c.id, c.project_id as "projectId", c.name, c.description, c.device_class as "deviceClass", c.bundle_id as "bundleId",
  (select b.name from bundles b where b.project_id = c.project_id and b.id = c.bundle_id) as "bundleName",
  c.bundle_since as "bundleSince", c.created_at as "createdAt", c.revision,
  (select r.id from rollouts r where r.project_id = c.project_id and r.channel_id = c.id
    and r.state in ('draft', 'running', 'paused')) as "rolloutId",
  (select count(*)::int from (
    select 1 from devices d where d.project_id = c.project_id and d.device_class = c.device_class
      and d.channel = case c.name when ${defaultChannel} then '' else c.name end
    limit ${countedMax}) as followers) as "deviceCount",
  (select count(*)::int from (
    select 1 from device_targets t join devices d on d.project_id = t.project_id and d.id = t.device_id
    where t.project_id = c.project_id and t.state in ('failed', 'lost') and d.device_class = c.device_class
      and d.channel = case c.name when ${defaultChannel} then '' else c.name end
    limit ${failedMax}) as failures) as "failedCount"`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    channel: Channel;
  }
}

export const channelResource: Resource<Channel> = {
  notFound: 'CHANNEL_NOT_FOUND',
  async find(db, { channelId = '' }, caller) {
    return findInProject(db, caller, {
      columns,
      from: sql`channels c`,
      alias: 'c',
      where: sql`c.id = ${channelId}`,
      as: toChannel,
    });
  },
};

const orders: Record<string, string> = {
  name: byName('c.name'),
  createdAt: 'c.created_at',
  deviceClass: byName('c.device_class'),
};

export async function channelsOf(
  db: Db,
  { projectId, deviceClass }: { projectId: string; deviceClass?: string | undefined },
  page: PageAsked,
): Promise<{ items: Channel[]; total: number }> {
  return pageOf(db, {
    columns,
    from: sql`channels c`,
    where: sql`c.project_id = ${projectId}
      ${deviceClass === undefined ? empty : sql`and c.device_class = ${deviceClass}`}
      ${page.search ? sql`and ${contains(sql`c.search`, page.search)}` : empty}`,
    orders,
    key: sql`c.name, c.id`,
    page,
    as: toChannel,
  });
}

/** Without the counts of devices, which are what takes time. */
export function channelNames(
  db: Db,
  { projectId, deviceClass }: { projectId: string; deviceClass?: string | undefined },
): Promise<ChannelName[]> {
  return db.many<ChannelName>(sql`
    select c.id, c.name, c.device_class as "deviceClass" from channels c
    where c.project_id = ${projectId} ${deviceClass === undefined ? empty : sql`and c.device_class = ${deviceClass}`}
    order by ${raw(byName('c.name'))}, c.id`);
}

export async function findChannel(db: Db, projectId: string, id: string): Promise<Channel | undefined> {
  const row = await db.one<RowOf>(sql`
    select ${columns} from channels c where c.project_id = ${projectId} and c.id = ${id}`);
  return row && toChannel(row);
}

const columnOf = { description: 'description' } as const;

export function updateChannel(
  db: Db,
  projectId: string,
  id: string,
  edit: Pick<BodyOf<typeof editChannel>, 'description'>,
): Promise<number> {
  return updateRow(db, 'channels', { project_id: projectId, id }, edit, columnOf);
}

/** Locks a channel so that no device can start to follow it, and counts and names its devices. */
export async function lockFollowers(
  db: Db,
  { projectId, id, deviceClass, name }: Channel,
): Promise<{ deviceCount: number; devices: { id: string; tag: string; name: string }[] }> {
  await db.one(
    sql`select 1 as found from channels where project_id = ${projectId} and id = ${id} for update`,
  );
  const following = sql`
    from devices where project_id = ${projectId} and device_class = ${deviceClass} and channel = ${followedName(name)}`;
  const devices = await db.many<{ id: string; tag: string; name: string }>(sql`
    select id, tag, name ${following} order by id limit ${namedMax}`);
  const counted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from (select 1 ${following} limit ${countedMax}) as followers`);
  return { deviceCount: counted?.count ?? 0, devices };
}

export async function removeChannel(db: Db, projectId: string, id: string): Promise<void> {
  await db.run(sql`delete from channels where project_id = ${projectId} and id = ${id}`);
}

function toChannel({ bundleId, bundleName, bundleSince, rolloutId, createdAt, ...row }: RowOf): Channel {
  return {
    ...row,
    ...(bundleId !== null && { bundleId }),
    ...(bundleName !== null && { bundleName }),
    ...(bundleSince && { bundleSince: bundleSince.toISOString() }),
    ...(rolloutId !== null && { rolloutId }),
    createdAt: createdAt.toISOString(),
  };
}
