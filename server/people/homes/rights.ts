import type { HomeRole } from '#contract/home.ts';
import { type GuestWindow, isWithinWindow } from '#rules/homes/guestWindow.ts';
import { guestRights, rightsOf } from '#rules/homes/homeRights.ts';
import type { Membership } from '#server/api/endpoints/apiDoor.ts';
import { sql } from '#server/infra/db/sql.ts';

/** The columns that determine a user's rights in a home: from `home_members m` and the home `h`. */
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

/** The user's membership in a home. A guest sees it also at times when the guest has no access to the devices. */
export function membershipOf(row: RightsRow, { hasRoles }: When): Membership {
  const { homeId, role, active: isActive } = row;
  return { homeId, role, isActive, rights: rightsOf(role, hasRoles) };
}

/** The membership in relation to one device. `mayControl` is null if the device is not listed for a guest. */
export function membershipOnDevice(row: RightsRow & { mayControl: boolean | null }, when: When): Membership {
  const membership = membershipOf(row, when);
  if (row.role !== 'guest') return membership;
  const listed = row.mayControl === null ? undefined : { mayControl: row.mayControl };
  return { ...membership, rights: guestRights(listed, { isOpen: isOpenToGuest(row, when.now) }) };
}

/** Whether a guest may use the listed devices at this time. */
export function isOpenToGuest(row: Omit<RightsRow, 'homeId' | 'active' | 'role'>, now: Date): boolean {
  const { guestFrom, guestUntil, guestWeekly, timeZone } = row;
  const window = {
    from: guestFrom ?? undefined,
    until: guestUntil ?? undefined,
    weekly: guestWeekly ?? undefined,
  };
  return isWithinWindow(window, { timeZone, now });
}
