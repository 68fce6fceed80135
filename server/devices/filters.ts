import type { connectionStatuses } from '#contract/device.ts';
import { join, type Sql, sql } from '#server/db/sql.ts';
import { channelKept } from './device.ts';

/** Which devices of a project are meant. All given conditions must hold. */
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

/** The condition on `devices d` and their `device_presence s`. */
export function matching(filter: DeviceFilter): Sql {
  const { deviceClass, claimed, suspended, channel, bundleInstalled, homeId, search } = filter;
  const parts = [sql`d.project_id = ${filter.projectId}`];
  if (deviceClass) parts.push(sql`d.device_class = ${deviceClass}`);
  if (claimed !== undefined) parts.push(claimed ? sql`d.home_id is not null` : sql`d.home_id is null`);
  if (suspended !== undefined) parts.push(suspended ? sql`d.suspended` : sql`not d.suspended`);
  if (channel !== undefined) parts.push(sql`d.channel = ${channelKept(channel)}`);
  if (bundleInstalled) parts.push(sql`d.bundle_installed = ${bundleInstalled}`);
  if (homeId !== undefined) parts.push(sql`d.home_id = ${homeId}`);
  if (filter.connectionStatus) parts.push(hasStatus(filter.connectionStatus));
  // `%` and `_` are looked for as they are.
  const text = search?.trim().replace(/[\\%_]/g, '\\$&');
  if (text) parts.push(sql`d.search like search_text(${`%${text}%`})`);
  return join(parts, ' and ');
}

function hasStatus(status: NonNullable<DeviceFilter['connectionStatus']>): Sql {
  if (status === 'never') return sql`s.seen_at is null`;
  return status === 'connected' ? sql`s.seen_at = 'infinity'` : sql`s.seen_at < 'infinity'`;
}
