import type { ChannelRun, listChannelRuns } from '#contract/channelFirmware.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { shownCounts } from '#server/firmware/rollouts/counts.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { sql } from '#server/infra/db/sql.ts';
import { contentsOf } from './contents.ts';

interface Row {
  at: Date;
  from: Date | null;
  until: Date | null;
  bundle: ChannelRun['bundle'] | null;
  by: { id: string; name: string } | null;
  rollout: Omit<NonNullable<ChannelRun['rollout']>, 'startedAt' | 'finishedAt'> | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

const columns = sql`
  h.at, h."from", h.until,
  case when h.bundle_id is not null then json_strip_nulls(json_build_object('id', h.bundle_id,
    'name', coalesce(b.name, h.bundle_name), 'isDeleted', case when b.id is null then true end)) end as bundle,
  case when h.actor_id is not null then json_build_object('id', h.actor_id, 'name', h.actor_name) end as by,
  case when r.id is not null then json_build_object('id', r.id, 'state', r.state,
    'stepCount', jsonb_array_length(r.steps), 'counts', (select n.counts from (select ${shownCounts}) n),
    'isRollback', r.rolls_back is not null,
    'isRolledBack', exists (select from rollouts k where k.project_id = r.project_id and k.channel_id = r.channel_id
      and k.rolls_back = r.id and k.started_at is not null),
    'wasPausedByGate', exists (select from rollout_events e where e.project_id = r.project_id and e.rollout_id = r.id
      and e.kind = 'paused' and e.actor_id is null)) end as rollout,
  r.started_at as "startedAt", r.finished_at as "finishedAt"`;

/** What the channel pointed at, and rollouts that were started and ended before it pointed at their bundle. */
export async function runsOf({ db, row, page }: Call<typeof listChannelRuns>) {
  const { projectId, id } = row;
  const { items, total } = await pageOf(db, {
    columns,
    from: sql`(
      select p.at, p.at as "from", lead(p.at) over (order by p.at) as until, p.bundle_id, p.bundle_name, p.rollout_id,
        p.actor_id, p.actor_name
      from channel_bundles p where p.project_id = ${projectId} and p.channel_id = ${id}
      union all
      select coalesce(o.finished_at, o.created_at), null, null, o.bundle_id, o.bundle_name, o.id, o.created_by,
        o.created_by_name
      from rollouts o where o.project_id = ${projectId} and o.channel_id = ${id}
        and o.state in ('stopped', 'superseded') and o.started_at is not null) as h
      left join bundles b on b.project_id = ${projectId} and b.id = h.bundle_id
      left join rollouts r on r.project_id = ${projectId} and r.id = h.rollout_id`,
    where: page.search ? contains(sql`search_text(coalesce(b.name, h.bundle_name))`, page.search) : sql`true`,
    orders: { at: 'h.at' },
    key: sql`h.rollout_id nulls last`,
    page,
    as: (run: Row) => run,
  });
  const contents = await contentsOf(
    db,
    projectId,
    items.flatMap(({ bundle }) => bundle?.id ?? []),
  );
  return { items: items.map(run => toRun(run, contents.get(run.bundle?.id ?? '') ?? [])), total };
}

function toRun(
  { at, from, until, bundle, by, rollout, startedAt, finishedAt }: Row,
  contents: ChannelRun['contents'],
): ChannelRun {
  return {
    ...(bundle && { bundle }),
    contents,
    at: at.toISOString(),
    ...(from && { from: from.toISOString() }),
    ...(until && { until: until.toISOString() }),
    ...(by && { by }),
    ...(rollout && {
      rollout: {
        ...rollout,
        ...(startedAt && { startedAt: startedAt.toISOString() }),
        ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
      },
    }),
  };
}
