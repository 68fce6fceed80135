import { Problem } from '#contract/problem.ts';
import type { RolloutTryOut, tryRollout } from '#contract/rolloutReport.ts';
import { rolloutDefaults } from '#rules/firmware/rolloutDefaults.ts';
import { stepsRise } from '#rules/firmware/rolloutSteps.ts';
import { isOnlineDaily, type TriedDevice, tryOut } from '#rules/firmware/rolloutTryOut.ts';
import { hourMs, weekMs } from '#rules/time/durations.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';
import { bundleOf, findChannel } from './createRollout.ts';
import { followsChannel, isChangedByIt } from './eligible.ts';

/** Number of devices that are followed through the week, and a smaller number if that takes too long. */
const samples = [2_000, 200];
const sampleMs = 3_000;
const changesMax = 500;
const examplesMax = 3;

type Asked = Call<typeof tryRollout>;

/** Simulates the rollout with the connections of the last week. The places of devices are drawn separately. */
export async function tryOutFor(call: Asked): Promise<RolloutTryOut> {
  const { db, body, now } = call;
  const channel = await findChannel(db, call.projectId ?? '', body.channelId);
  if (!channel) throw new Problem('CHANNEL_NOT_FOUND');
  await bundleOf(db, channel, body.bundleId);
  const { steps = rolloutDefaults.steps } = body;
  if (!stepsRise(steps)) throw new Problem('STEPS_UNFIT');
  const percents = steps.map(({ percent }) => percent);
  const within = await devicesWithin(call, channel.projectId, percents);
  const total = within.reduce((sum, { devices }) => sum + devices, 0);
  const devices = await sampled(call, channel.projectId, total);
  const rate = body.rate === undefined ? rolloutDefaults.rate : body.rate;
  const beginMs = now.getTime() - weekMs;
  const settled = tryOut(devices, {
    steps,
    rate,
    soakMs: (body.soakS ?? rolloutDefaults.soakS) * 1000,
    beginMs,
    endMs: now.getTime(),
    each: devices.length === 0 ? 1 : total / devices.length,
  });
  const daily = devices.filter(device => isOnlineDaily(device, { beginMs, endMs: now.getTime() })).length;
  return {
    total,
    steps: percents.map((percent, at) => {
      const upTo = within.filter(({ step }) => step <= at);
      const settledMs = settled[at];
      return {
        percent,
        devices: upTo.reduce((sum, one) => sum + one.devices, 0),
        seenLastWeek: upTo.reduce((sum, one) => sum + one.seen, 0),
        ...(settledMs !== undefined && {
          settledAfterH: Math.round(((settledMs - beginMs) / hourMs) * 10) / 10,
        }),
        examples: within.find(({ step }) => step === at)?.examples ?? [],
      };
    }),
    onlineDailyPercent: devices.length === 0 ? 0 : Math.round((daily / devices.length) * 1000) / 10,
  };
}

/** The devices that the rollout would change, as `d` with their place. */
function tried({ body }: Asked, projectId: string, columns: Sql): Sql {
  return sql`
    select ${columns}, rollout_place(r.id, d.id) as place
    from (
      select project_id, ${`tryOut ${body.channelId}`}::text as id, device_class, ${body.bundleId}::text as bundle_id,
        null::text as rolls_back, null::text as from_bundle_id,
        ${body.leavesOutDowngrades ?? false}::boolean as leaves_out_downgrades
      from channels where project_id = ${projectId} and id = ${body.channelId}) r
    join channels c on c.project_id = r.project_id and c.id = ${body.channelId}
    join devices d on ${followsChannel}
    left join device_targets t on t.project_id = d.project_id and t.device_id = d.id
    where ${isChangedByIt}`;
}

interface Within {
  step: number;
  devices: number;
  seen: number;
  examples: RolloutTryOut['steps'][number]['examples'];
}

/** The number of devices that each step adds. */
function devicesWithin(call: Asked, projectId: string, percents: readonly number[]): Promise<Within[]> {
  const weekAgo = new Date(call.now.getTime() - weekMs);
  return call.db.many<Within>(sql`
    with tried as (
      select d.*, (select count(*)::int from unnest(${percents}::float8[]) p where d.place >= round(p * 100)) as step
      from (${tried(call, projectId, sql`d.id as "deviceId", d.tag, d.name`)}) d),
    ranked as (select *, row_number() over (partition by step order by place, "deviceId") as n from tried)
    select k.step, count(*)::int as devices, count(*) filter (where s.seen_at >= ${weekAgo})::int as seen,
      json_agg(json_build_object('deviceId', k."deviceId", 'tag', k.tag, 'name', k.name) order by k.n)
        filter (where k.n <= ${examplesMax}) as examples
    from ranked k left join device_presence s on s.project_id = ${projectId} and s.device_id = k."deviceId"
    group by k.step order by k.step`);
}

/** An even sample of the devices with their connections of the week; empty if even a few devices take too long. */
async function sampled(call: Asked, projectId: string, total: number): Promise<TriedDevice[]> {
  const weekAgo = new Date(call.now.getTime() - weekMs);
  for (const size of samples) {
    const share = total <= size ? 10_000 : Math.ceil((size / total) * 10_000);
    const rows = await call.platform.db.within<TriedDevice>(
      sampleMs,
      sql`
        select d.place, p.changes, coalesce(p.changes[1] < 0, p.changes is null and s.seen_at = 'infinity', false) as "wasConnected"
        from (${tried(call, projectId, sql`d.project_id, d.id`)} and rollout_place('sample', d.id) < ${share}) d
        left join device_presence s on s.project_id = d.project_id and s.device_id = d.id
        cross join lateral (
          select array_agg(extract(epoch from at)::float8 * 1000 * case when connected then 1 else -1 end order by at, number) as changes
          from (
            select at, number, connected from presence_changes
            where project_id = d.project_id and device_id = d.id and at >= ${weekAgo}
            order by at desc, number desc limit ${changesMax}) latest) p
        limit ${size}`,
    );
    if (rows) return rows.map(row => ({ ...row, changes: row.changes ?? [] }));
  }
  return [];
}
