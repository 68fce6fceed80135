import type { HomeDevice } from '#contract/homeDevice.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { type ListedRow, listedColumns, toListed } from '#server/devices/devices/device.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';

interface Row extends ListedRow {
  ownedSince: Date;
  claimedHow: HomeDevice['claimedHow'] | null;
  claimedById: string | null;
  claimedByName: string | null;
}

const columns = sql`
  ${listedColumns}, d.owned_since as "ownedSince", d.claimed_how as "claimedHow", u.id as "claimedById",
  u.name as "claimedByName"`;
const from = sql`
  devices d left join device_presence s on s.project_id = d.project_id and s.device_id = d.id
  left join users u on u.project_id = d.project_id and u.id = d.claimed_by`;
const orders = { name: 'd.name_order', ownedSince: 'd.owned_since' };

interface Of {
  projectId: string;
  homeId: string;
  now: Date;
}

const inHome = ({ projectId, homeId }: Of): Sql => sql`d.project_id = ${projectId} and d.home_id = ${homeId}`;

/** The devices of a home, as developers see them. */
export async function homeDevicesOf(
  db: Db,
  of: Of,
  page: PageAsked,
): Promise<{ items: HomeDevice[]; total: number }> {
  const searched = page.search ? sql`and ${contains(sql`d.search`, page.search)}` : empty;
  const where = sql`${inHome(of)} ${searched}`;
  const as = (row: Row) => toHomeDevice(row, of.now);
  return pageOf(db, { columns, from, where, orders, key: sql`d.id`, page, as });
}

/** Finds a device in this home; undefined if it is not in it. */
export async function findHomeDevice(db: Db, of: Of, deviceId: string): Promise<HomeDevice | undefined> {
  const row = await db.one<Row>(sql`
    select ${columns} from ${from} where ${inHome(of)} and d.id = ${deviceId}`);
  return row && toHomeDevice(row, of.now);
}

function toHomeDevice(row: Row, now: Date): HomeDevice {
  const { ownedSince, claimedById: id, claimedByName: name, claimedHow } = row;
  return {
    ...toListed(row, now),
    ownedSince: ownedSince.toISOString(),
    ...(id !== null && { claimedBy: { id, name: name ?? '' } }),
    claimedHow: claimedHow ?? 'added',
  };
}
