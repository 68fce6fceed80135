import type { HomeRole } from '#contract/home.ts';
import { type GuestWindow, isWithinWindow } from '#rules/homes/guestWindow.ts';
import { guestRights, rightsOf } from '#rules/homes/homeRights.ts';
import { sql } from '#server/db/sql.ts';
import type { Membership } from '#server/endpoints/apiDoor.ts';

/** What says what a user may in a home: their row of `home_members m`, and the home's `h`. */
export interface RightsRow {
  homeId: string;
  timeZone: string;
  active: boolean;
  role: HomeRole;
  guestFrom: Date | null;
  guestUntil: Date | null;
  guestWeekly: GuestWindow['weekly'] | null;
}

export const rightsColumns = sql`
  h.id::text as "homeId", h.time_zone as "timeZone", h.active, m.role, m.guest_from as "guestFrom",
  m.guest_until as "guestUntil", m.guest_weekly as "guestWeekly"`;

interface When {
  hasRoles: boolean;
  now: Date;
}

/** What a user is in a home. A guest sees it also while its devices are closed to them. */
export function membershipOf(row: RightsRow, { hasRoles }: When): Membership {
  const { homeId, role, active: isActive } = row;
  return { homeId, role, isActive, rights: rightsOf(role, hasRoles) };
}

/** The same on one device. `mayControl` is null where it is not listed for a guest. */
export function membershipOnDevice(row: RightsRow & { mayControl: boolean | null }, when: When): Membership {
  const membership = membershipOf(row, when);
  if (row.role !== 'guest') return membership;
  const listed = row.mayControl === null ? undefined : { mayControl: row.mayControl };
  return { ...membership, rights: guestRights(listed, { isOpen: isOpenToGuest(row, when.now) }) };
}

/** Whether a guest may just now use what is listed for them. */
export function isOpenToGuest(row: Omit<RightsRow, 'homeId' | 'active' | 'role'>, now: Date): boolean {
  const { guestFrom, guestUntil, guestWeekly, timeZone } = row;
  const window = {
    from: guestFrom ?? undefined,
    until: guestUntil ?? undefined,
    weekly: guestWeekly ?? undefined,
  };
  return isWithinWindow(window, { timeZone, now });
}
