import type { MyDevice } from '#contract/appApi/device.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { membershipOnDevice, type RightsRow, rightsColumns } from '#server/people/homes/rights.ts';

interface Row extends RightsRow {
  id: string;
  name: string;
  tag: string;
  deviceClass: string;
  /** Infinite while the device is connected. */
  seenAt: Date | number | null;
  since: Date | null;
  suspended: boolean;
  ownedSince: Date;
  /** For a guest; null if the device is not listed for them. */
  mayControl: boolean | null;
  revision: number;
}

type Asking = Pick<Call, 'db' | 'inApp' | 'user' | 'now'>;

const columns = sql`
  ${rightsColumns}, d.id, d.name, d.tag, d.device_class as "deviceClass", s.seen_at as "seenAt", s.since,
  d.suspended, d.owned_since as "ownedSince", g.may_control as "mayControl", d.revision`;

/** The devices that a user sees as a member of their homes. */
function devicesOf({ user }: Asking): Sql {
  return sql`
    devices d join homes h on h.project_id = d.project_id and h.id = d.home_id
    join home_members m on m.project_id = h.project_id and m.home_id = h.id and m.user_id = ${user.id}
    left join home_guest_devices g on g.project_id = m.project_id and g.home_id = m.home_id
      and g.user_id = m.user_id and g.device_id = d.id
    left join device_presence s on s.project_id = d.project_id and s.device_id = d.id`;
}

/** A device as the caller sees it now. */
export async function myDevice(call: Asking, deviceId: string): Promise<MyDevice> {
  const row = await call.db.one<Row>(sql`
    select ${columns} from ${devicesOf(call)} where d.project_id = ${call.inApp.projectId} and d.id = ${deviceId}`);
  if (!row) throw new Problem('DEVICE_NOT_FOUND');
  return toMyDevice(row, call);
}

const orders = { name: 'd.name_order', ownedSince: 'd.owned_since' };

/** The devices of a home that the caller may see now. */
export async function myDevices(
  call: Asking & Pick<Call, 'page'>,
  homeId: string,
): Promise<{ items: MyDevice[]; total: number }> {
  const { search } = call.page;
  const searched = search ? sql`and ${contains(sql`search_text(d.name || ' ' || d.tag)`, search)}` : empty;
  const { items, total } = await pageOf<Row>(call.db, {
    columns,
    from: devicesOf(call),
    orders,
    key: sql`d.id`,
    page: call.page,
    where: sql`d.project_id = ${call.inApp.projectId} and d.home_id = ${homeId}
      and (m.role <> 'guest' or g.device_id is not null) ${searched}`,
  });
  const devices = items.map(row => toMyDevice(row, call));
  // The time window of a guest is the same for all devices.
  const isOpen = devices.every(({ rights }) => rights.includes('view'));
  return isOpen ? { items: devices, total } : { items: [], total: 0 };
}

function toMyDevice(row: Row, { inApp, now }: Asking): MyDevice {
  const { id, homeId, name, tag, deviceClass, seenAt, since, suspended, ownedSince, revision } = row;
  return {
    id,
    homeId,
    name,
    tag,
    deviceClass,
    connectionStatus: seenAt === null ? 'never' : seenAt instanceof Date ? 'disconnected' : 'connected',
    // Hides when the device changed before it joined this home, as that concerns its previous owner.
    ...(since && { since: (since > ownedSince ? since : ownedSince).toISOString() }),
    suspended,
    ownedSince: ownedSince.toISOString(),
    rights: [...membershipOnDevice(row, { hasRoles: inApp.hasRoles, now }).rights],
    revision,
  };
}
