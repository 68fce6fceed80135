import type { OpenConnection, Presence, readPresence } from '#contract/presence.ts';
import { connectionsMax } from '#rules/devices/gatewayLimits.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { timeRange } from '#server/api/http/timeRange.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';

const changesMax = 1_000;
const daysMax = 30;

interface Change {
  at: Date;
  connected: boolean;
  reason: string | null;
}

interface Of {
  projectId: string;
  id: string;
}

/** When a device connected and disconnected. If there are too many changes, the newest are returned. */
export async function presenceOf({ db, query, row: device }: Call<typeof readPresence>): Promise<Presence> {
  const { begin, end } = timeRange(query, daysMax);
  const changes = await changesIn(db, device, sql`and at >= ${begin} and at < ${end}`, {
    newestFirst: true,
    limit: changesMax + 1,
  });
  return {
    connectedAtBegin: await wasConnected(db, device, begin),
    changes: changes.slice(0, changesMax).reverse().map(toChange),
    truncated: changes.length > changesMax,
  };
}

/** The status left by the previous change; if that has expired, the opposite of the next one. */
async function wasConnected(db: Db, device: Of, at: Date): Promise<boolean> {
  const [last] = await changesIn(db, device, sql`and at < ${at}`, { newestFirst: true, limit: 1 });
  if (last) return last.connected;
  const [next] = await changesIn(db, device, sql`and at >= ${at}`, { newestFirst: false, limit: 1 });
  if (next) return !next.connected;
  const now = await db.one<{ connected: boolean }>(sql`
    select (seen_at = 'infinity') is true as connected from device_presence
    where project_id = ${device.projectId} and device_id = ${device.id}`);
  return now?.connected ?? false;
}

function changesIn(
  db: Db,
  { projectId, id }: Of,
  range: Sql,
  { newestFirst, limit }: { newestFirst: boolean; limit: number },
): Promise<Change[]> {
  return db.many<Change>(sql`
    select at, connected, reason from presence_changes
    where project_id = ${projectId} and device_id = ${id} ${range}
    order by ${newestFirst ? sql`at desc, number desc` : sql`at, number`} limit ${limit}`);
}

function toChange({ at, connected, reason }: Change): Presence['changes'][number] {
  return { at: at.toISOString(), connected, ...(reason !== null && { reason }) };
}

interface OpenRow {
  number: string;
  clientId: string;
  protocol: OpenConnection['protocol'];
  address: string;
  since: Date;
  temporary: boolean;
}

export async function connectionsOf(db: Db, { projectId, id }: Of): Promise<OpenConnection[]> {
  const rows = await db.many<OpenRow>(sql`
    select number, client_id as "clientId", protocol, address, since, temporary from device_connections
    where project_id = ${projectId} and device_id = ${id} order by device_connections.number
    limit ${connectionsMax}`);
  return rows.map(row => ({ ...row, number: Number(row.number), since: row.since.toISOString() }));
}
