import type { MyHome } from '#contract/appApi/home.ts';
import { homesOfUserMax } from '#contract/home.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { byName, pageOf } from '#server/infra/db/rows.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';
import { type GuestRow, guestAccessOf, guestDevicesColumn } from './guestAccess.ts';
import { type HomeRow, homeColumns, toHome } from './home.ts';
import { isOpenToGuest, membershipOf, type RightsRow, rightsColumns } from './rights.ts';

type MyHomeRow = HomeRow & RightsRow & GuestRow;

interface Whose {
  projectId: string;
  userId: string;
  hasRoles: boolean;
  now: Date;
}

const columns = sql`${homeColumns}, ${rightsColumns}, ${guestDevicesColumn}`;
const from = sql`
  home_members m join homes h on h.project_id = m.project_id and h.id = m.home_id`;
const orders = { name: byName('h.name') };

/** The homes of an end user, as the user sees them. */
export async function myHomes(
  db: Db,
  whose: Whose,
  page: PageAsked,
): Promise<{ items: MyHome[]; total: number }> {
  const searched = page.search ? sql`and ${contains(sql`h.search`, page.search)}` : empty;
  return pageOf(db, {
    columns,
    from,
    orders,
    key: sql`h.id`,
    page,
    where: sql`m.project_id = ${whose.projectId} and m.user_id = ${whose.userId} ${searched}`,
    as: (row: MyHomeRow) => toMyHome(row, whose),
  });
}

/** One home as an end user sees it; undefined if the user is not a member. */
export async function findMyHome(db: Db, homeId: string, whose: Whose): Promise<MyHome | undefined> {
  const row = await db.one<MyHomeRow>(sql`
    select ${columns} from ${from}
    where m.project_id = ${whose.projectId} and m.user_id = ${whose.userId} and h.id = ${homeId}`);
  return row && toMyHome(row, whose);
}

/** Whether the user has room for another home. Locks the user until the end of the transaction. */
export async function hasRoomForHome(db: Db, projectId: string, userId: string): Promise<boolean> {
  await db.run(sql`select 1 from users where project_id = ${projectId} and id = ${userId} for no key update`);
  const counted = await db.one<{ homes: number }>(sql`
    select count(*)::int as homes from home_members where project_id = ${projectId} and user_id = ${userId}`);
  return (counted?.homes ?? 0) < homesOfUserMax;
}

function toMyHome(row: MyHomeRow, when: Whose): MyHome {
  const { id, name, timeZone, active, owner, memberCount, deviceCount, transfer, createdAt, revision } =
    toHome(row, when.now);
  const guest = guestAccessOf(row);
  return {
    id,
    name,
    timeZone,
    active,
    role: row.role,
    rights: [
      ...membershipOf(row, when).rights,
      ...(mayControlAny(row, when.now) ? ['control' as const] : []),
    ],
    owner: { id: owner.id, name: owner.name },
    // A guest sees only the owner and the devices listed for the guest.
    memberCount: guest ? 2 : memberCount,
    deviceCount: guest ? guest.devices.length : deviceCount,
    ...(guest && { guest }),
    ...(transfer &&
      (!guest || transfer.to.id === when.userId) && {
        transfer: { to: transfer.to, expiresAt: transfer.expiresAt },
      }),
    createdAt,
    revision,
  };
}

/** For a guest: whether at least one of the devices may be controlled now. */
function mayControlAny(row: MyHomeRow, now: Date): boolean {
  return (row.guestDevices ?? []).some(({ mayControl }) => mayControl) && isOpenToGuest(row, now);
}
