import type { connectionStatuses } from '#contract/device.ts';
import { contains } from '#server/db/contains.ts';
import { join, type Sql, sql } from '#server/db/sql.ts';
import { channelKept } from '#server/devices/device.ts';

/** Selects devices of a project. All given conditions must match. */
export interface DeviceFilter {
  projectId: string;
  deviceClass?: string | undefined;
  connectionStatus?: (typeof connectionStatuses)[number] | undefined;
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

/** Those on `devices d` alone, besides project, class and search. */
export function deviceConditions(filter: DeviceFilter): Sql[] {
  const { claimed, suspended, channel, bundleInstalled, homeId } = filter;
  const parts: Sql[] = [];
  if (claimed !== undefined) parts.push(claimed ? sql`d.home_id is not null` : sql`d.home_id is null`);
  if (suspended !== undefined) parts.push(suspended ? sql`d.suspended` : sql`not d.suspended`);
  if (channel !== undefined) parts.push(sql`d.channel = ${channelKept(channel)}`);
  if (bundleInstalled) parts.push(sql`d.bundle_installed = ${bundleInstalled}`);
  if (homeId !== undefined) parts.push(sql`d.home_id = ${homeId}`);
  return parts;
}

/** Conditions on `device_presence s` only. */
export function presenceConditions({ connectionStatus }: DeviceFilter): Sql[] {
  if (connectionStatus === undefined) return [];
  if (connectionStatus === 'never') return [sql`s.seen_order = '-infinity'`];
  return connectionStatus === 'connected'
    ? [sql`s.seen_order = 'infinity'`]
    : [sql`s.seen_order > '-infinity'`, sql`s.seen_order < 'infinity'`];
}
