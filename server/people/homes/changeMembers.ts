import type { GuestAccess, HomeRole } from '#contract/home.ts';
import { homeMax } from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { findMember } from './members.ts';
import { hasRoomForHome } from './myHomes.ts';

interface Place {
  projectId: string;
  homeId: string;
}

interface Terms {
  role: HomeRole;
  guest?: GuestAccess | undefined;
}

/** Serializes changes to the members of a home. False if the home no longer exists. */
export async function lockHome(db: Db, { projectId, homeId }: Place): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from homes where project_id = ${projectId} and id = ${homeId} for no key update`);
  return found !== undefined;
}

/** Adds a member to a locked home. */
export async function joinHome(
  db: Db,
  place: Place,
  { userId, now, ...terms }: Terms & { userId: string; now: Date },
): Promise<void> {
  const { projectId, homeId } = place;
  if (await findMember(db, place, userId)) throw new Problem('ALREADY_A_HOME_MEMBER');
  await checkRoomForMember(db, place);
  if (!(await hasRoomForHome(db, projectId, userId))) throw new Problem('TOO_MANY_HOMES');
  await db.run(sql`
    insert into home_members (project_id, home_id, user_id, role, joined_at)
    values (${projectId}, ${homeId}, ${userId}, ${terms.role}, ${now})`);
  await setGuest(db, place, userId, terms.guest);
}

export async function checkRoomForMember(db: Db, { projectId, homeId }: Place): Promise<void> {
  const counted = await db.one<{ members: number }>(sql`
    select count(*)::int as members from home_members where project_id = ${projectId} and home_id = ${homeId}`);
  if ((counted?.members ?? 0) >= homeMax.members) throw new Problem('HOME_FULL');
}

export async function setTerms(db: Db, place: Place, userId: string, { role, guest }: Terms): Promise<void> {
  const { projectId, homeId } = place;
  await db.run(sql`
    update home_members set role = ${role}, revision = revision + 1
    where project_id = ${projectId} and home_id = ${homeId} and user_id = ${userId}`);
  await setGuest(db, place, userId, role === 'guest' ? guest : undefined);
}

/** Ignores devices that are not, or no longer, in the home. */
async function setGuest(
  db: Db,
  { projectId, homeId }: Place,
  userId: string,
  guest: GuestAccess | undefined,
): Promise<void> {
  const weekly = guest?.weekly ? JSON.stringify(guest.weekly) : null;
  await db.run(sql`
    update home_members
    set guest_from = ${guest?.from ?? null}, guest_until = ${guest?.until ?? null}, guest_weekly = ${weekly}
    where project_id = ${projectId} and home_id = ${homeId} and user_id = ${userId}`);
  await db.run(sql`
    delete from home_guest_devices
    where project_id = ${projectId} and home_id = ${homeId} and user_id = ${userId}`);
  if (!guest) return;
  const ids = guest.devices.map(({ deviceId }) => deviceId);
  const grants = guest.devices.map(({ mayControl }) => mayControl);
  await db.run(sql`
    insert into home_guest_devices (project_id, home_id, user_id, device_id, may_control)
    select ${projectId}, ${homeId}, ${userId}, d.id, listed.grants
    from unnest(${ids}::text[], ${grants}::boolean[]) as listed (id, grants)
    join devices d on d.project_id = ${projectId} and d.home_id = ${homeId} and d.id = listed.id`);
}

/** Removes a member from a locked home, and withdraws a transfer that was offered to them. */
export async function deleteMember(db: Db, { projectId, homeId }: Place, userId: string): Promise<void> {
  await db.run(sql`
    delete from home_members
    where project_id = ${projectId} and home_id = ${homeId} and user_id = ${userId} and role <> 'owner'`);
  await db.run(sql`
    update homes set transfer_to = null, transfer_offered_at = null, transfer_expires_at = null,
      transfer_session = null, revision = revision + 1
    where project_id = ${projectId} and id = ${homeId} and transfer_to = ${userId}`);
}

/**
 * Removes a user who is being erased from all homes, and returns the homes. The user must not own any: see
 * `homesOwned`.
 */
export async function leaveAllHomes(db: Db, projectId: string, userId: string): Promise<string[]> {
  const homes = await db.many<{ id: string }>(sql`
    select h.id::text as id from home_members m join homes h on h.project_id = m.project_id and h.id = m.home_id
    where m.project_id = ${projectId} and m.user_id = ${userId} order by h.id for no key update of h`);
  for (const { id } of homes) await deleteMember(db, { projectId, homeId: id }, userId);
  return homes.map(({ id }) => id);
}

/** The homes that a user owns. They must be handed over or deleted before the user is erased. */
export async function homesOwned(db: Db, projectId: string, userId: string): Promise<string[]> {
  const homes = await db.many<{ id: string }>(sql`
    select home_id::text as id from home_members
    where project_id = ${projectId} and user_id = ${userId} and role = 'owner' order by home_id`);
  return homes.map(({ id }) => id);
}
