import { defaultChannel } from '#contract/channel.ts';
import type { Device } from '#contract/device.ts';
import type { DeviceFirmware, TargetOrigin } from '#contract/deviceFirmware.ts';
import type { InstalledFrame } from '#contract/deviceProtocol.ts';
import type { RolloutStep } from '#contract/rollout.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { currentUpdate } from './updates.ts';

/** What a device should run and why, and what it reports. */
export async function firmwareOf(db: Db, device: Device): Promise<DeviceFirmware> {
  // Sequential, because a transaction has only one connection.
  const current = await currentUpdate(db, device);
  const installed = await installedOn(db, device);
  const why = await whyOf(db, device);
  return { ...(current && { current }), ...(installed && { installed }), why };
}

async function installedOn(db: Db, device: Device): Promise<DeviceFirmware['installed']> {
  const row = await db.one<{ installed: InstalledFrame | null; at: Date | null }>(sql`
    select installed, installed_at as at from device_states
    where project_id = ${device.projectId} and device_id = ${device.id}`);
  if (!row?.installed || !row.at) return undefined;
  const { bundleInstalled: id, bundleInstalledName: name } = device;
  return {
    ...(id !== undefined && { bundle: { id, name: name ?? id } }),
    components: row.installed.components.map(({ component, version }) => ({ component, version })),
    at: row.at.toISOString(),
  };
}

interface ChannelRow {
  id: string;
  bundleId: string | null;
  bundleName: string | null;
  since: Date | null;
  origin: TargetOrigin | null;
}

async function whyOf(db: Db, device: Device): Promise<DeviceFirmware['why']> {
  const { projectId, id, deviceClass, bundlePinned, bundlePinnedName } = device;
  const name = device.channel || defaultChannel;
  const channel = await db.one<ChannelRow>(sql`
    select c.id, c.bundle_id as "bundleId", b.name as "bundleName", c.bundle_since as since
    from channels c left join bundles b on b.project_id = c.project_id and b.id = c.bundle_id
    where c.project_id = ${projectId} and c.device_class = ${deviceClass} and c.name = ${name}`);
  const target = await db.one<{ origin: TargetOrigin | null; rolloutId: string | null }>(sql`
    select origin, rollout_id as "rolloutId" from device_targets where project_id = ${projectId} and device_id = ${id}`);
  const rollout = channel && (await rolloutOf(db, device, channel.id, target?.rolloutId ?? null));
  return {
    ...(target?.origin && { decidedBy: target.origin }),
    ...(bundlePinned !== undefined && {
      pin: { id: bundlePinned, name: bundlePinnedName ?? bundlePinned },
    }),
    ...(rollout && { rollout }),
    channel: {
      name,
      ...(channel && { id: channel.id }),
      ...(channel?.bundleId && {
        bundle: { id: channel.bundleId, name: channel.bundleName ?? channel.bundleId },
      }),
      ...(channel?.since && { since: channel.since.toISOString() }),
    },
  };
}

interface RolloutRow {
  id: string;
  bundleId: string;
  bundleName: string;
  state: string;
  step: number;
  steps: RolloutStep[];
  place: number;
  admittedAt: Date | null;
  dueAt: Date | null;
}

/** The rollout that decided; otherwise the one of the channel that may still admit the device. */
async function rolloutOf(
  db: Db,
  { projectId, id }: Device,
  channelId: string,
  decidedBy: string | null,
): Promise<DeviceFirmware['why']['rollout']> {
  const row = await db.one<RolloutRow>(sql`
    select r.id, r.bundle_id as "bundleId", b.name as "bundleName", r.state, r.step, r.steps,
      rollout_place(r.id, ${id}) as place, a.admitted_at as "admittedAt", a.due_at as "dueAt"
    from rollouts r join bundles b on b.project_id = r.project_id and b.id = r.bundle_id
    left join rollout_devices a on a.project_id = r.project_id and a.rollout_id = r.id and a.device_id = ${id}
    where r.project_id = ${projectId} and r.channel_id = ${channelId}
      and (r.id = ${decidedBy} or r.state in ('running', 'paused'))
    order by r.id = ${decidedBy} desc nulls last limit 1`);
  if (!row) return undefined;
  const { steps, step, admittedAt, dueAt } = row;
  return {
    id: row.id,
    bundle: { id: row.bundleId, name: row.bundleName },
    state: row.state,
    step: step + 1,
    steps: steps.length,
    percent: steps[step]?.percent ?? 0,
    percents: steps.map(({ percent }) => percent),
    place: row.place / 100,
    ...(admittedAt && { admittedAt: admittedAt.toISOString() }),
    ...(dueAt && { dueAt: dueAt.toISOString() }),
  };
}
