import type { MyHomeMember } from '#contract/appApi/home.ts';
import type { GuestAccess, HomeMember, HomeRole } from '#contract/home.ts';
import { rightsOf } from '#rules/homes/homeRights.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf } from '#server/infra/db/rows.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { type GuestRow, guestAccessOf, guestDevicesColumn } from './guestAccess.ts';

export interface MemberRow extends GuestRow {
  userId: string;
  name: string;
  email: string | null;
  role: HomeRole;
  hasRoles: boolean;
  suspended: boolean;
  joinedAt: Date;
  lastSeenAt: Date | null;
  revision: number;
}

/** Columns of `home_members m`, the user `u` and the project `mp`. */
const memberColumns = sql`
  m.user_id as "userId", u.name, u.email, m.role, m.guest_from as "guestFrom", m.guest_until as "guestUntil",
  m.guest_weekly as "guestWeekly", ${guestDevicesColumn}, mp.permission_based_access_control as "hasRoles",
  u.suspended, m.joined_at as "joinedAt", u.last_seen_at as "lastSeenAt", m.revision`;

const ofMembers = sql`
  home_members m join users u on u.project_id = m.project_id and u.id = m.user_id
  join projects mp on mp.id = m.project_id`;

interface Place {
  projectId: string;
  homeId: string;
}

const orders = { name: byName('u.name'), joinedAt: 'm.joined_at' };

export async function membersOf(
  db: Db,
  { projectId, homeId }: Place,
  page: PageAsked,
  { seenBy }: { seenBy?: string } = {},
): Promise<{ items: MemberRow[]; total: number }> {
  const text = sql`search_text(u.name || ' ' || coalesce(u.email, ''))`;
  const searched = page.search ? sql`and ${contains(text, page.search)}` : empty;
  const seen = seenBy === undefined ? empty : sql`and (m.role = 'owner' or m.user_id = ${seenBy})`;
  return pageOf<MemberRow>(db, {
    columns: memberColumns,
    from: ofMembers,
    where: sql`m.project_id = ${projectId} and m.home_id = ${homeId} ${seen} ${searched}`,
    orders,
    key: sql`m.user_id`,
    page,
  });
}

export async function findMember(
  db: Db,
  { projectId, homeId }: Place,
  userId: string,
): Promise<MemberRow | undefined> {
  const where: Sql = sql`m.project_id = ${projectId} and m.home_id = ${homeId} and m.user_id = ${userId}`;
  return db.one<MemberRow>(sql`select ${memberColumns} from ${ofMembers} where ${where}`);
}

/** A member as other members see them. */
export function toMyMember(row: MemberRow): MyHomeMember {
  const { lastSeenAt: _, suspended: __, ...member } = toMember(row);
  return member;
}

export function toMember(row: MemberRow): HomeMember {
  const { userId, name, email, role, suspended, joinedAt, lastSeenAt, revision } = row;
  const guest = guestAccessOf(row);
  return {
    userId,
    name,
    role,
    suspended,
    revision,
    ...(email !== null && { email }),
    rights: [...rightsOf(role, row.hasRoles), ...(guest && mayControlAny(guest) ? ['control' as const] : [])],
    ...(guest && { guest }),
    joinedAt: joinedAt.toISOString(),
    ...(lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() }),
  };
}

const mayControlAny = ({ devices }: GuestAccess) => devices.some(({ mayControl }) => mayControl);
