import type { GuestAccess, HomeRole } from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface Place {
  projectId: string;
  homeId: string;
  hasRoles: boolean;
}

interface Given {
  role: HomeRole;
  guest?: GuestAccess | undefined;
}

/**
 * Checks what a member is given: only guests have a list of devices, which must not be empty and only contain devices
 * of the home.
 */
export async function checkTerms(db: Db, place: Place, { role, guest }: Given): Promise<Given> {
  if (!place.hasRoles && (role !== 'member' || guest)) throw new Problem('LEGACY_ACCESS_CONTROL');
  if (role !== 'guest' && !guest) return { role };
  if (role !== 'guest' || !guest) throw unfit();
  const devices = new Map(guest.devices.map(device => [device.deviceId, device]));
  if (devices.size === 0 || devices.size < guest.devices.length) throw unfit();
  if (guest.from && guest.until && new Date(guest.from) >= new Date(guest.until)) throw unfit();
  const known = await db.one<{ count: number }>(sql`
    select count(*)::int as count from devices
    where project_id = ${place.projectId} and home_id = ${place.homeId} and id = any(${[...devices.keys()]})`);
  if (known?.count !== devices.size) throw unfit();
  const { weekly } = guest;
  const days = weekly && [...new Set(weekly.days)].sort((a, b) => a - b);
  return { role, guest: { ...guest, ...(weekly && days && { weekly: { ...weekly, days } }) } };
}

function unfit(): Problem {
  return new Problem('GUEST_UNFIT', { fields: { guest: 'GUEST_UNFIT' } });
}
