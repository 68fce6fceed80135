import {
  type connectionStatuses,
  type DeviceSignal,
  type DeviceState,
  signalHours,
} from '#contract/device.ts';
import { channelKept } from '#server/devices/devices/device.ts';
import { contains } from '#server/infra/db/contains.ts';
import { join, raw, type Sql, sql } from '#server/infra/db/sql.ts';

/** Selects devices of a project. All given conditions must match. */
export interface DeviceFilter {
  projectId: string;
  deviceClass?: string | undefined;
  connectionStatus?: (typeof connectionStatuses)[number] | undefined;
  state?: DeviceState | undefined;
  signal?: DeviceSignal | undefined;
  claimed?: boolean | undefined;
  suspended?: boolean | undefined;
  channel?: string | undefined;
  bundleInstalled?: string | undefined;
  homeId?: string | undefined;
  search?: string | undefined;
}

/** Conditions on `devices d` and their `device_presence s`. */
export function matching(filter: DeviceFilter): Sql {
  const { projectId, deviceClass } = filter;
  const place = [sql`d.project_id = ${projectId}`];
  if (deviceClass) place.push(sql`d.device_class = ${deviceClass}`);
  const text = filter.search?.trim();
  const search = text ? [contains(sql`d.search`, text)] : [];
  return join([...place, ...deviceConditions(filter), ...search, ...presenceConditions(filter)], ' and ');
}

/** Conditions on `devices d` only, besides project, class and search. */
export function deviceConditions(filter: DeviceFilter): Sql[] {
  const { projectId, claimed, suspended, channel, bundleInstalled, homeId, signal } = filter;
  const parts: Sql[] = [];
  if (claimed !== undefined) parts.push(claimed ? sql`d.home_id is not null` : sql`d.home_id is null`);
  if (suspended !== undefined) parts.push(suspended ? sql`d.suspended` : sql`not d.suspended`);
  if (channel !== undefined) parts.push(sql`d.channel = ${channelKept(channel)}`);
  if (bundleInstalled) parts.push(sql`d.bundle_installed = ${bundleInstalled}`);
  if (homeId !== undefined) parts.push(sql`d.home_id = ${homeId}`);
  if (signal)
    parts.push(sql`d.id in (select device_id ${recentSignal[signal]} and project_id = ${projectId})`);
  return parts;
}

/** Where each kind of problem is stored, each with an index by project and time or id. */
export const recentSignal: Record<DeviceSignal, Sql> = {
  alert: sql`from alerts where state = 'open'`,
  updateFailed: sql`from device_targets where state in ('failed', 'lost')`,
  commandFailed: sql`from device_commands where stage = 'failed' and finished_at > ${since('commandFailed')}`,
  quarantine: sql`from quarantine where ts > ${since('quarantine')}`,
  flapping: sql`from device_presence where flapping_at > ${since('flapping')}`,
  quiet: sql`from device_presence where quiet_since is not null and not suspended`,
};

function since(signal: keyof typeof signalHours): Sql {
  return raw(`now() - interval '${signalHours[signal]} hours'`);
}

/** Conditions on `device_presence s` only. */
export function presenceConditions({ connectionStatus, state }: DeviceFilter): Sql[] {
  const parts = connectionStatus === undefined ? [] : [...withStatus[connectionStatus]];
  if (state === 'suspended') parts.push(sql`s.suspended`);
  else if (state !== undefined) parts.push(...withStatus[state], sql`not s.suspended`);
  return parts;
}

const withStatus: Record<(typeof connectionStatuses)[number], Sql[]> = {
  connected: [sql`s.seen_order = 'infinity'`],
  disconnected: [sql`s.seen_order > '-infinity'`, sql`s.seen_order < 'infinity'`],
  never: [sql`s.seen_order = '-infinity'`],
};
