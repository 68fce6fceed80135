import type { Device, DeviceRow } from '#contract/device.ts';
import { sql } from '#server/infra/db/sql.ts';

/** A device row; `seenAt` is infinite while it is connected. */
export interface ListedRow {
  id: string;
  tag: string;
  name: string;
  deviceClass: string;
  channel: string;
  bundleInstalled: string | null;
  bundleInstalledName: string | null;
  bundlePinned: string | null;
  claimed: boolean;
  suspended: boolean;
  createdAt: Date;
  revision: number;
  seenAt: Date | number | null;
  since: Date | null;
  lastMessageAt: Date | null;
  reason: string | null;
  address: string | null;
  protocol: Device['connection']['protocol'] | null;
}

export interface FullRow extends ListedRow {
  projectId: string;
  description: string;
  bundlePinnedName: string | null;
  claimCode: string | null;
  /** `since` and `claimedHow` of the home are separate fields of the row: `ownedSince` and `claimedHow`. */
  home: Omit<NonNullable<Device['home']>, 'since' | 'claimedHow'> | null;
  ownedSince: Date | null;
  claimedHow: NonNullable<Device['home']>['claimedHow'] | null;
  keyEnd: string;
  keyReadable: boolean;
  previousKeyUntil: Date | null;
}

/** Columns of `devices d` and its `device_presence s`. */
export const listedColumns = sql`
  d.id, d.tag, d.name, d.device_class as "deviceClass", d.channel, d.bundle_installed as "bundleInstalled",
  (select name from bundles b where b.project_id = d.project_id and b.id = d.bundle_installed) as "bundleInstalledName",
  d.bundle_pinned as "bundlePinned", d.home_id is not null as claimed, d.suspended, d.created_at as "createdAt", d.revision,
  s.seen_at as "seenAt", s.since, s.last_message_at as "lastMessageAt", s.reason, s.address, s.protocol`;

export const fullColumns = sql`
  ${listedColumns}, d.project_id as "projectId", d.description,
  (select name from bundles b where b.project_id = d.project_id and b.id = d.bundle_pinned) as "bundlePinnedName",
  d.claim_code as "claimCode", d.key_end as "keyEnd",
  d.key_sealed is not null as "keyReadable", d.previous_key_until as "previousKeyUntil",
  d.owned_since as "ownedSince", d.claimed_how as "claimedHow",
  (select json_strip_nulls(json_build_object(
      'id', h.id::text, 'name', h.name,
      'owner', case when o.id is not null then json_build_object('id', o.id, 'name', o.name, 'email', o.email) end,
      'claimedBy', case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end))
    from homes h
    left join home_members m on m.project_id = h.project_id and m.home_id = h.id and m.role = 'owner'
    left join users o on o.project_id = m.project_id and o.id = m.user_id
    left join users c on c.project_id = d.project_id and c.id = d.claimed_by
    where h.project_id = d.project_id and h.id = d.home_id) as home`;

export function toListed(row: ListedRow, now: Date): DeviceRow {
  const { bundleInstalled, bundleInstalledName, bundlePinned } = row;
  return {
    id: row.id,
    tag: row.tag,
    name: row.name,
    deviceClass: row.deviceClass,
    channel: row.channel,
    ...(bundleInstalled !== null && { bundleInstalled }),
    ...(bundleInstalledName !== null && { bundleInstalledName }),
    ...(bundlePinned !== null && { bundlePinned }),
    claimed: row.claimed,
    suspended: row.suspended,
    connectionStatus:
      row.seenAt === null ? 'never' : row.seenAt instanceof Date ? 'disconnected' : 'connected',
    connection: connectionOf(row, now),
    creationTime: row.createdAt.toISOString(),
    revision: row.revision,
  };
}

export function toDevice(row: FullRow, now: Date): Device {
  const { claimCode, previousKeyUntil, bundlePinnedName, home, ownedSince, claimedHow } = row;
  return {
    ...toListed(row, now),
    projectId: row.projectId,
    description: row.description,
    ...(bundlePinnedName !== null && { bundlePinnedName }),
    ...(claimCode !== null && { claimCode }),
    ...(home &&
      ownedSince && {
        home: { ...home, since: ownedSince.toISOString(), claimedHow: claimedHow ?? 'added' },
      }),
    apiKeyEnd: row.keyEnd,
    apiKeyReadable: row.keyReadable,
    ...(previousKeyUntil && previousKeyUntil > now && { previousKeyUntil: previousKeyUntil.toISOString() }),
  };
}

function connectionOf(row: ListedRow, now: Date): DeviceRow['connection'] {
  const { seenAt, since, lastMessageAt, reason, address, protocol } = row;
  const lastSeen = seenAt === null || seenAt instanceof Date ? seenAt : now;
  return {
    ...(since && { since: since.toISOString() }),
    ...(lastSeen && { lastSeen: lastSeen.toISOString() }),
    ...(lastMessageAt && { lastMessageAt: lastMessageAt.toISOString() }),
    ...(reason !== null && { reason }),
    ...(address !== null && { address }),
    ...(protocol && { protocol }),
  };
}

/** Normalizes the channel: `stable` is stored as an empty string. */
export const channelKept = (channel: string) => (channel === 'stable' ? '' : channel);
