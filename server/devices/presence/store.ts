import { flappingChangesMax } from '#rules/devices/flapping.ts';
import { admissionColumns } from '#server/devices/keys/admission.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type {
  LockedDevice,
  OpenRow,
  PendingConnectionWrites,
  PresenceEdit,
} from './pendingConnectionWrites.ts';

/** Locks until the transaction ends, always in id order to avoid deadlocks between gateways. */
export function lockDevices(db: Db, ids: string[]): Promise<LockedDevice[]> {
  return db.many<LockedDevice>(sql`
    select ${admissionColumns}, (s.seen_at = 'infinity') is true as connected, s.since as "changedAt"
    from devices d join projects p on p.id = d.project_id and p.deleted_at is null
    join device_presence s on s.project_id = d.project_id and s.device_id = d.id
    where d.id = any(${ids}) order by d.id for key share of d for update of s`);
}

const openColumns = sql`
  c.project_id as "projectId", c.device_id as "deviceId", c.client_id as "clientId", c.number::float8 as number,
  c.gateway_id as "gatewayId", c.protocol, c.address, c.temporary, c.since`;

/** The connections of these devices, oldest first. */
export function openOf(db: Db, devices: readonly { id: string; projectId: string }[]): Promise<OpenRow[]> {
  return db.many<OpenRow>(sql`
    select ${openColumns} from unnest(
      ${devices.map(({ projectId }) => projectId)}::text[], ${devices.map(({ id }) => id)}::text[]) as asked (project_id, id)
    join device_connections c on c.project_id = asked.project_id and c.device_id = asked.id
    order by c.number`);
}

/** The connections of a gateway, in batches. */
export function openAt(db: Db, gatewayId: string, limit: number): Promise<OpenRow[]> {
  return db.many<OpenRow>(sql`
    select ${openColumns} from device_connections c where c.gateway_id = ${gatewayId} limit ${limit}`);
}

/** The numbers of all connections of a gateway; undefined if there are no more than `heldCount`. */
export async function numbersAt(db: Db, gatewayId: string, heldCount: number): Promise<number[] | undefined> {
  const mine = sql`from device_connections where gateway_id = ${gatewayId}`;
  const counted = await db.one<{ count: number }>(sql`select count(*)::int as count ${mine}`);
  if ((counted?.count ?? 0) <= heldCount) return undefined;
  return (await db.many<{ number: number }>(sql`select number::float8 as number ${mine}`)).map(
    ({ number }) => number,
  );
}

export function openByNumber(db: Db, gatewayId: string, numbers: readonly number[]): Promise<OpenRow[]> {
  return db.many<OpenRow>(sql`
    select ${openColumns} from device_connections c
    where c.gateway_id = ${gatewayId} and c.number = any(${numbers}::bigint[])`);
}

/** Numbers from a sequence, in ascending order. */
export async function nextNumbers(db: Db, count: number): Promise<number[]> {
  const rows = await db.many<{ number: number }>(
    sql`select nextval('connection_numbers')::float8 as number from generate_series(1, ${count}::int)`,
  );
  return rows.map(({ number }) => number);
}

export async function savePresence(db: Db, book: PendingConnectionWrites): Promise<void> {
  if (book.removed.length > 0) await removeOpen(db, book.removed);
  if (book.added.size > 0) await addOpen(db, [...book.added.values()]);
  if (book.edits.size > 0) await editPresence(db, [...book.edits.values()]);
  if (book.changes.length > 0) await addChanges(db, book.changes);
}

async function removeOpen(db: Db, rows: PendingConnectionWrites['removed']): Promise<void> {
  await db.run(sql`
    delete from device_connections c using unnest(
      ${rows.map(row => row.projectId)}::text[], ${rows.map(row => row.deviceId)}::text[],
      ${rows.map(row => row.clientId)}::text[], ${rows.map(row => row.number)}::bigint[]
    ) as gone (project_id, device_id, client_id, number)
    where c.project_id = gone.project_id and c.device_id = gone.device_id and c.client_id = gone.client_id
      and c.number = gone.number`);
}

async function addOpen(db: Db, rows: OpenRow[]): Promise<void> {
  await db.run(sql`
    insert into device_connections
      (project_id, device_id, client_id, number, gateway_id, protocol, address, temporary, since)
    select * from unnest(
      ${rows.map(row => row.projectId)}::text[], ${rows.map(row => row.deviceId)}::text[],
      ${rows.map(row => row.clientId)}::text[], ${rows.map(row => row.number)}::bigint[],
      ${rows.map(row => row.gatewayId)}::text[], ${rows.map(row => row.protocol)}::text[],
      ${rows.map(row => row.address)}::text[], ${rows.map(row => row.temporary)}::boolean[],
      ${rows.map(row => row.since)}::timestamptz[])
    on conflict (project_id, device_id, client_id) do update set
      number = excluded.number, gateway_id = excluded.gateway_id, protocol = excluded.protocol,
      address = excluded.address, temporary = excluded.temporary, since = excluded.since`);
}

/** The maximum of a smallint. */
const countMax = 32_767;
const goesOn = sql`s.changes_from > e.at - interval '1 hour'`;

async function editPresence(db: Db, edits: PresenceEdit[]): Promise<void> {
  // Changes are counted in windows of an hour that start with the first change, which takes two columns for any device.
  await db.run(sql`
    update device_presence s set
      seen_at = case when e.connected then 'infinity' else e.at end, since = e.at,
      reason = coalesce(e.reason, s.reason), address = coalesce(e.address, s.address),
      protocol = coalesce(e.protocol, s.protocol),
      changes_from = case when ${goesOn} then s.changes_from else e.at end,
      changes_count = case when ${goesOn} then least(s.changes_count + e.flaps, ${countMax}) else e.flaps end,
      flapping_at = case when ${goesOn} and s.changes_count + e.flaps > ${flappingChangesMax} and e.flaps > 0
        then e.at else s.flapping_at end
    from unnest(
      ${edits.map(edit => edit.projectId)}::text[], ${edits.map(edit => edit.deviceId)}::text[],
      ${edits.map(edit => edit.connected)}::boolean[], ${edits.map(edit => edit.at)}::timestamptz[],
      ${edits.map(edit => edit.reason)}::text[], ${edits.map(edit => edit.address)}::text[],
      ${edits.map(edit => edit.protocol)}::text[],
      ${edits.map(edit => edit.flaps)}::int[]
    ) as e (project_id, device_id, connected, at, reason, address, protocol, flaps)
    where s.project_id = e.project_id and s.device_id = e.device_id`);
}

export async function addChanges(db: Db, changes: PendingConnectionWrites['changes']): Promise<void> {
  await db.run(sql`
    insert into presence_changes (project_id, device_id, at, number, connected, reason)
    select * from unnest(
      ${changes.map(row => row.projectId)}::text[], ${changes.map(row => row.deviceId)}::text[],
      ${changes.map(row => row.at)}::timestamptz[], ${changes.map(row => row.number)}::bigint[],
      ${changes.map(row => row.connected)}::boolean[], ${changes.map(row => row.reason)}::text[])`);
}
