import type { Home } from '#contract/home.ts';
import { sql } from '#server/db/sql.ts';

/** A row of `homes h` with its owner, the person it is offered to, and its counts. */
export interface HomeRow {
  id: string;
  projectId: string;
  name: string;
  timeZone: string;
  active: boolean;
  createdIn: string | null;
  createdAt: Date;
  revision: number;
  ownerId: string;
  ownerName: string;
  ownerEmail: string | null;
  memberCount: number;
  deviceCount: number;
  transferTo: string | null;
  transferName: string | null;
  transferOfferedAt: Date | null;
  transferExpiresAt: Date | null;
}

export const homeColumns = sql`
  h.id::text as id, h.project_id as "projectId", h.name, h.time_zone as "timeZone", h.active, h.created_in as "createdIn",
  h.created_at as "createdAt", h.revision, o.id as "ownerId", o.name as "ownerName", o.email as "ownerEmail",
  (select count(*)::int from home_members c where c.project_id = h.project_id and c.home_id = h.id) as "memberCount",
  (select count(*)::int from devices d where d.project_id = h.project_id and d.home_id = h.id) as "deviceCount",
  h.transfer_to as "transferTo", t.name as "transferName", h.transfer_offered_at as "transferOfferedAt",
  h.transfer_expires_at as "transferExpiresAt"`;

/** A home always has exactly one owner. */
export const ofHome = sql`
  join home_members om on om.project_id = h.project_id and om.home_id = h.id and om.role = 'owner'
  join users o on o.project_id = om.project_id and o.id = om.user_id
  left join users t on t.project_id = h.project_id and t.id = h.transfer_to`;

export function toHome(row: HomeRow, now: Date): Home {
  const { createdIn, ownerEmail } = row;
  const transfer = transferOf(row, now);
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    timeZone: row.timeZone,
    active: row.active,
    owner: { id: row.ownerId, name: row.ownerName, ...(ownerEmail !== null && { email: ownerEmail }) },
    memberCount: row.memberCount,
    deviceCount: row.deviceCount,
    ...(createdIn !== null && { createdIn }),
    ...(transfer && { transfer }),
    createdAt: row.createdAt.toISOString(),
    revision: row.revision,
  };
}

/** An offer that has had its time counts as none. */
function transferOf(row: HomeRow, now: Date): Home['transfer'] {
  const { transferTo: id, transferName: name, transferOfferedAt, transferExpiresAt } = row;
  if (id === null || !transferOfferedAt || !transferExpiresAt || transferExpiresAt <= now) return undefined;
  return {
    to: { id, name: name ?? '' },
    offeredAt: transferOfferedAt.toISOString(),
    expiresAt: transferExpiresAt.toISOString(),
  };
}

/** An id of a home as it comes in a path: what is none finds nothing. */
export const isHomeId = (text: string) => /^\d{1,18}$/.test(text);

declare module '#server/endpoints/access.ts' {
  interface Rows {
    home: Home;
  }
}
