import { type ChannelFirmware, nextBundlesMax, type readChannelFirmware } from '#contract/channelFirmware.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { contentsOf } from './contents.ts';
import { standing } from './standing.ts';

const parts = [
  'updated',
  'updating',
  'waiting',
  'failed',
  'unable',
  'thisStep',
  'nextStep',
  'laterSteps',
  'leftOut',
  'other',
  'neverConnected',
] as const satisfies readonly (keyof ChannelFirmware['devices'])[];

/** Counts the devices of a channel in one statement, so that the parts add up. */
export async function channelFirmwareOf({
  db,
  row,
}: Call<typeof readChannelFirmware>): Promise<ChannelFirmware> {
  const rows = await db.many<
    Record<'count' | 'current' | 'off', number> & { part: (typeof parts)[number] }
  >(sql`
    select o.part, count(*)::int as count, count(*) filter (where o.is_current)::int as current,
      count(*) filter (where o.is_off)::int as off
    from (${standing(row)}) o group by o.part`);
  const sum = (of: 'count' | 'current' | 'off') => rows.reduce((total, one) => total + one[of], 0);
  const devices = Object.fromEntries(
    parts.map(part => [part, rows.find(one => one.part === part)?.count ?? 0]),
  ) as ChannelFirmware['devices'];
  const { projectId, bundleId } = row;
  const next = await nextBundles(db, row);
  const contents = await contentsOf(db, projectId, [...next.map(({ id }) => id), bundleId ?? '']);
  const current = contents.get(bundleId ?? '');
  return {
    total: sum('count'),
    devices,
    onCurrent: sum('current'),
    offTarget: sum('off'),
    ...(current && { current }),
    next: next.map(({ createdBy, createdAt, ...bundle }) => ({
      ...bundle,
      ...(createdBy && { createdBy }),
      createdAt: createdAt.toISOString(),
      contents: contents.get(bundle.id) ?? [],
    })),
  };
}

interface NextBundle {
  id: string;
  name: string;
  createdBy: { id: string; name: string } | null;
  createdAt: Date;
  channels: { id: string; name: string }[];
  deviceCount: number;
}

function nextBundles(
  db: Db,
  {
    projectId,
    deviceClass,
    bundleId = '',
  }: { projectId: string; deviceClass: string; bundleId?: string | undefined },
): Promise<NextBundle[]> {
  return db.many<NextBundle>(sql`
    select b.id, b.name, b.created_at as "createdAt",
      case when b.created_by is not null then json_build_object('id', b.created_by, 'name', b.created_by_name) end as "createdBy",
      (select coalesce(json_agg(json_build_object('id', h.id, 'name', h.name) order by h.name), '[]') from (
        select id, name from channels where project_id = b.project_id and bundle_id = b.id
        order by name limit ${nextBundlesMax}) h) as channels,
      (select coalesce(sum(n.devices), 0)::int from bundle_counts n
        where n.project_id = b.project_id and n.device_class = b.device_class and n.bundle_id = b.id) as "deviceCount"
    from bundles b
    left join bundles now on now.project_id = b.project_id and now.id = ${bundleId}
    where b.project_id = ${projectId} and b.device_class = ${deviceClass}
      and (now.id is null or (b.created_at, b.id) > (now.created_at, now.id))
    order by b.created_at desc, b.id desc limit ${nextBundlesMax}`);
}
