import type { GuestAccess } from '#contract/home.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { RightsRow } from './rights.ts';

/** The columns of `home_members m` about a guest; `guestDevices` is null for other roles. */
export interface GuestRow extends Pick<RightsRow, 'guestFrom' | 'guestUntil' | 'guestWeekly'> {
  guestDevices: GuestAccess['devices'] | null;
}

/** The devices that are listed for a guest. */
export const guestDevicesColumn = sql`
  case when m.role = 'guest' then (
    select coalesce(
      json_agg(json_build_object('deviceId', g.device_id, 'mayControl', g.may_control) order by g.device_id), '[]')
    from home_guest_devices g
    where g.project_id = m.project_id and g.home_id = m.home_id and g.user_id = m.user_id
  ) end as "guestDevices"`;

export function guestAccessOf(row: GuestRow): GuestAccess | undefined {
  const { guestDevices, guestFrom, guestUntil, guestWeekly } = row;
  if (guestDevices === null) return undefined;
  return {
    devices: guestDevices,
    ...(guestFrom && { from: guestFrom.toISOString() }),
    ...(guestUntil && { until: guestUntil.toISOString() }),
    ...(guestWeekly && { weekly: { ...guestWeekly, days: [...guestWeekly.days] } }),
  };
}
