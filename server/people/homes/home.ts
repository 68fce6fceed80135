import type { Home } from '#contract/home.ts';
import { sql } from '#server/infra/db/sql.ts';

/** A row of `homes h` with its owner (there is always exactly one), the user it is offered to, and its counts. */
export interface HomeRow {
  id: string;
  projectId: string;
  name: string;
  timeZone: string;
  active: boolean;
  createdIn: string | null;
  createdAt: Date;
  revision: number;
  owner: { id: string; name: string; email: string | null };
  memberCount: number;
  deviceCount: number;
  transferTo: string | null;
  transferName: string | null;
  transferOfferedAt: Date | null;
  transferExpiresAt: Date | null;
}

export const homeColumns = sql`
  h.id::text as id, h.project_id as "projectId", h.name, h.time_zone as "timeZone", h.active, h.created_in as "createdIn",
  h.created_at as "createdAt", h.revision, (
    select json_build_object('id', o.id, 'name', o.name, 'email', o.email)
    from home_members om join users o on o.project_id = om.project_id and o.id = om.user_id
    where om.project_id = h.project_id and om.home_id = h.id and om.role = 'owner') as owner,
  (select count(*)::int from home_members c where c.project_id = h.project_id and c.home_id = h.id) as "memberCount",
  (select count(*)::int from devices d where d.project_id = h.project_id and d.home_id = h.id) as "deviceCount",
  h.transfer_to as "transferTo",
  (select t.name from users t where t.project_id = h.project_id and t.id = h.transfer_to) as "transferName", h.transfer_offered_at as "transferOfferedAt",
  h.transfer_expires_at as "transferExpiresAt"`;

export function toHome(row: HomeRow, now: Date): Home {
  const { createdIn, owner } = row;
  const transfer = transferOf(row, now);
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    timeZone: row.timeZone,
    active: row.active,
    owner: { id: owner.id, name: owner.name, ...(owner.email !== null && { email: owner.email }) },
    memberCount: row.memberCount,
    deviceCount: row.deviceCount,
    ...(createdIn !== null && { createdIn }),
    ...(transfer && { transfer }),
    createdAt: row.createdAt.toISOString(),
    revision: row.revision,
  };
}

/** An expired offer counts as none. */
function transferOf(row: HomeRow, now: Date): Home['transfer'] {
  const { transferTo: id, transferName: name, transferOfferedAt, transferExpiresAt } = row;
  if (id === null || !transferOfferedAt || !transferExpiresAt || transferExpiresAt <= now) return undefined;
  return {
    to: { id, name: name ?? '' },
    offeredAt: transferOfferedAt.toISOString(),
    expiresAt: transferExpiresAt.toISOString(),
  };
}

/** Whether a path parameter can be the id of a home; any other text finds nothing. */
export const isHomeId = (text: string) => /^\d{1,18}$/.test(text);
