import { type Channel, createChannel } from '#contract/channel.ts';
import type { FailureClass } from '#contract/deviceWire.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import {
  actOnRollout,
  createRollout,
  type Rollout,
  type RolloutAct,
  readRollout,
} from '#contract/rollout.ts';
import { type RolloutReport, readRolloutReport } from '#contract/rolloutReport.ts';
import { type Outcome, recordOutcomes } from '#server/firmware/outcomes/recordOutcomes.ts';
import { advanceRollout } from '#server/firmware/rollouts/advanceRollout.ts';
import { sql } from '#server/infra/db/sql.ts';
import { manyDevices } from './devices.ts';
import type { ProjectWorld } from './projectWorld.ts';
import { unique } from './world.ts';

export interface Fleet {
  projectId: string;
  channel: Channel;
  /** The bundle of the channel, the bundle of rollouts, and a third one. */
  old: string;
  next: string;
  other: string;
  ids: string[];
}

/** A class of connected devices that run a bundle and follow the channel `stable`. */
export async function aRolloutFleet(at: ProjectWorld, count: number): Promise<Fleet> {
  const { world, owner } = at;
  const projectId = (await world.aProject(owner)).id;
  const { db } = world.platform;
  const [deviceClass, old, next, other] = [unique('class'), unique('bnd'), unique('bnd'), unique('bnd')];
  await db.run(sql`
    insert into device_classes (project_id, id, created_at) values (${projectId}, ${deviceClass}, now())`);
  await db.run(sql`
    insert into bundles (project_id, id, device_class, name, created_at)
    select ${projectId}, id, ${deviceClass}, 'Bundle ' || n, now() + n * interval '1 s'
    from unnest(${[old, next, other]}::text[]) with ordinality as b (id, n)`);
  const ids = await manyDevices(world, projectId, deviceClass, count);
  await db.run(sql`update devices set bundle_installed = ${old} where project_id = ${projectId}`);
  const body = { projectId, deviceClass, name: 'stable', bundleId: old };
  const channel = await owner.client.call(createChannel, { body });
  await connect(at, ids, true);
  return { projectId, channel, old, next, other, ids };
}

/** Sets whether devices are connected, without a gateway. */
export async function connect(
  { world }: ProjectWorld,
  ids: readonly string[],
  isConnected: boolean,
): Promise<void> {
  const now = world.now();
  const { db } = world.platform;
  await db.run(sql`
    update device_presence set seen_at = ${isConnected ? 'infinity' : now.toISOString()}::timestamptz, since = ${now}
    where device_id = any(${ids})`);
}

export function create(
  { owner }: ProjectWorld,
  { channel, next }: Fleet,
  given: Partial<BodyOf<typeof createRollout>> = {},
): Promise<Rollout> {
  const body = { channelId: channel.id, bundleId: next, rate: null, start: true, ...given };
  return owner.client.call(createRollout, { body });
}

export const read = ({ owner }: ProjectWorld, { id }: { id: string }): Promise<Rollout> =>
  owner.client.call(readRollout, { params: { rolloutId: id } });

export const report = ({ owner }: ProjectWorld, { id }: { id: string }): Promise<RolloutReport> =>
  owner.client.call(readRolloutReport, { params: { rolloutId: id } });

export const act = (
  { owner }: ProjectWorld,
  { id }: { id: string },
  action: RolloutAct,
  reason?: string,
): Promise<Rollout> =>
  owner.client.call(actOnRollout, { params: { rolloutId: id }, body: { action, ...(reason && { reason }) } });

/** Runs the rollout engine until it has nothing more to do. */
export async function look({ world }: ProjectWorld, { id, projectId }: Rollout): Promise<void> {
  for (let looks = 0; looks < 30; looks++)
    if (!(await advanceRollout(world.platform, { projectId, rolloutId: id }))) return;
}

interface Target {
  deviceId: string;
  bundleId: string | null;
  sequence: number;
  origin: string | null;
  rolloutId: string | null;
  state: string;
}

/** The targets of devices, ordered by device id. */
export function targetsOf({ world }: ProjectWorld, { projectId }: { projectId: string }): Promise<Target[]> {
  return world.platform.db.many(sql`
    select device_id as "deviceId", bundle_id as "bundleId", sequence, origin, rollout_id as "rolloutId", state
    from device_targets where project_id = ${projectId} order by device_id`);
}

/** The devices that a rollout has admitted, ordered by id. */
export async function admittedOf({ world }: ProjectWorld, { id }: { id: string }): Promise<string[]> {
  const rows = await world.platform.db.many<{ id: string }>(sql`
    select device_id as id from rollout_devices where rollout_id = ${id} and admitted_at is not null order by 1`);
  return rows.map(row => row.id);
}

/** Moves the update of devices to a state, as their reports would. */
export async function bring({ world }: ProjectWorld, ids: readonly string[], state: string): Promise<void> {
  await world.platform.db.run(sql`
    update device_targets set state = ${state}, state_at = ${world.now()}, offered_at = coalesce(offered_at, ${world.now()})
    where device_id = any(${ids})`);
}

/** Finishes the update of devices, as their last report would. */
export async function settle(
  at: ProjectWorld,
  { projectId, id: rolloutId, bundle }: Rollout,
  ids: readonly string[],
  outcome: NonNullable<Outcome['outcome']>,
  failed: { code?: string; failure?: FailureClass; error?: string } = {},
): Promise<void> {
  const { world } = at;
  await world.platform.db.tx(async db => {
    if (outcome === 'updated')
      await db.run(sql`update devices set bundle_installed = ${bundle.id} where id = any(${ids})`);
    await recordOutcomes(
      db,
      ids.map(deviceId => ({ projectId, rolloutId, deviceId, outcome, ...failed, at: world.now() })),
    );
  });
  await bring(at, ids, outcome === 'updated' ? 'done' : outcome === 'declined' ? 'declined' : 'failed');
}
