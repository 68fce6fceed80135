import type {
  changeMyAlert,
  listMyAlerts,
  listMyHomeAlerts,
  MyAlert,
  readMyAlert,
} from '#contract/appApi/alert.ts';
import { Problem } from '#contract/problem.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { refuseStale } from '#server/api/endpoints/ifMatch.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type AlertRow, alertColumns, changeIn, toAlert } from '#server/devices/alerts/alert.ts';
import { byActor, lockAlerts } from '#server/devices/alerts/changeAlerts.ts';
import { changeOne } from '#server/devices/alerts/changeOne.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { isOpenToGuest, type RightsRow, rightsColumns } from '#server/people/homes/rights.ts';

const orders = { raisedAt: 'a.id', lastAt: 'a.last_at', severity: 'a.severity_order' };

type Listing = Call<typeof listMyAlerts> | Call<typeof listMyHomeAlerts>;

/** `where` selects the devices, as `d`. Alerts raised before a device came to its home are left out. */
async function pageOfAlerts(
  { db, page, query }: Pick<Listing, 'db' | 'page' | 'query'>,
  where: Sql,
): Promise<{ items: MyAlert[]; total: number }> {
  return pageOf(db, {
    columns: alertColumns,
    orders,
    key: sql`a.id desc`,
    page,
    from: sql`devices d join alerts a on a.project_id = d.project_id and a.device_id = d.id and a.ts >= d.owned_since`,
    where: sql`${where} ${query.state ? sql`and a.state = ${query.state}` : empty}
      ${page.search ? sql`and ${contains(sql`a.search`, page.search)}` : empty}`,
    as: toMyAlert,
  });
}

export function alertsOfDevice(call: Call<typeof listMyAlerts>) {
  const { projectId, id } = call.row;
  return pageOfAlerts(call, sql`d.project_id = ${projectId} and d.id = ${id}`);
}

/** A guest sees the alerts of the devices listed for them, while they have access. */
export async function alertsOfHome(call: Call<typeof listMyHomeAlerts>) {
  const { db, inApp, user, now, params } = call;
  const { projectId } = inApp;
  const ofHome = sql`d.project_id = ${projectId} and d.home_id = ${params.homeId}`;
  if (call.membership?.role !== 'guest') return pageOfAlerts(call, ofHome);
  const guest = await db.one<RightsRow>(sql`
    select ${rightsColumns} from home_members m join homes h on h.project_id = m.project_id and h.id = m.home_id
    where m.project_id = ${projectId} and m.home_id = ${params.homeId} and m.user_id = ${user.id}`);
  if (!guest || !isOpenToGuest(guest, now)) return { items: [], total: 0 };
  return pageOfAlerts(
    call,
    sql`${ofHome} and d.id in (
      select device_id from home_guest_devices
      where project_id = ${projectId} and home_id = ${params.homeId} and user_id = ${user.id})`,
  );
}

export async function readMine(call: Call<typeof readMyAlert>): Promise<MyAlert> {
  return toMyAlert(await find(call));
}

export async function changeMine(call: Call<typeof changeMyAlert>): Promise<MyAlert> {
  const { db, body, now, params, row } = call;
  await lockAlerts(db, row.projectId, [params.alertId]);
  const found = await find(call);
  refuseStale(call, toMyAlert(found));
  const { said, alert } = await changeOne(db, found, body, { by: byActor(actorOf(call)), now });
  call.before = { ...toMyAlert(found), said };
  return toMyAlert(alert);
}

async function find({
  db,
  row,
  params,
}: Pick<Call<typeof readMyAlert>, 'db' | 'row' | 'params'>): Promise<AlertRow> {
  const found = await db.one<AlertRow>(sql`
    select ${alertColumns} from alerts a
    where a.project_id = ${row.projectId} and a.id = ${params.alertId} and a.device_id = ${row.id}
      and a.ts >= ${row.ownedSince}`);
  if (!found) throw new Problem('ALERT_NOT_FOUND');
  return found;
}

/** Removes developers and their notes, which a home must not see. */
function toMyAlert(row: AlertRow): MyAlert {
  const { id, deviceId, deviceName, deviceTag, severity, text, key, state, ...rest } = toAlert(row);
  const { count, raisedAt, lastAt, revision } = rest;
  const { change } = changeIn(row) ?? {};
  const isTheirs = change?.by.type === 'user';
  return {
    id,
    deviceId,
    deviceName,
    deviceTag,
    severity,
    text,
    key,
    state,
    count,
    raisedAt,
    lastAt,
    revision,
    ...(change && {
      change: {
        at: change.at,
        by: { type: change.by.type, ...(isTheirs && change.by.name && { name: change.by.name }) },
        note: isTheirs || change.by.type === 'device' ? change.note : '',
      },
    }),
  };
}
