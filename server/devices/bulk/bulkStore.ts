import type { actOnDevices, DeviceAction } from '#contract/deviceBulk.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Actor } from '#server/api/logs/append.ts';
import { type DeviceFilter, matching } from '#server/devices/devices/list/filters.ts';
import { type Database, type Db, sql } from '#server/infra/db/sql.ts';
import { type BulkAction, BulkActions, progressOf } from '#server/infra/jobs/bulkActions.ts';

/** The requested action, and who requested it. */
interface Asked extends Pick<DeviceAction, 'channel' | 'ids' | 'matching'> {
  actor: Actor;
}

type ActionName = BodyOf<typeof actOnDevices>['action'];
export type ActionRow = BulkAction<ActionName, Asked>;

export const deviceActionStore = new BulkActions<ActionName, Asked>('device_actions');

export function toAction(row: ActionRow): DeviceAction {
  const { actor: _, ...given } = row.asked;
  return { ...progressOf(row), action: row.action, ...given };
}

export async function countMatching(db: Db, filter: DeviceFilter): Promise<number> {
  const row = await db.one<{ count: number }>(sql`select count(*)::int as count ${from(filter)}`);
  return row?.count ?? 0;
}

/** Whether some matching devices are of a class without the channel. */
export async function lackChannel(db: Db, filter: DeviceFilter, channel: string): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found ${from(filter)} and not exists (
      select from channels c
      where c.project_id = d.project_id and c.device_class = d.device_class and c.name = ${channel}) limit 1`);
  return found !== undefined;
}

/** The next matching devices by id. Devices created or imported after the request are not included. */
export async function nextMatching(
  db: Database,
  filter: DeviceFilter,
  { after, before, limit }: { after: string; before: Date; limit: number },
): Promise<string[]> {
  const rows = await db.search<{ id: string }>(sql`
    select d.id ${from(filter)} and d.id > ${after} and coalesce(d.imported_at, d.created_at) <= ${before} order by d.id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Which of these locked devices match: one of them may have been changed since it was found. */
export async function stillMatching(db: Db, filter: DeviceFilter, ids: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ id: string }>(
    sql`select d.id ${from(filter)} and d.id = any(${ids}) order by d.id`,
  );
  return rows.map(({ id }) => id);
}

const from = (filter: DeviceFilter) => sql`
  from devices d join device_presence s on s.project_id = d.project_id and s.device_id = d.id
  where ${matching(filter)}`;

/** Locks in id order to avoid deadlocks. Returns the devices that exist. */
export function lockDevices(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<{ id: string; said: string }[]> {
  return db.many(sql`
    select id, coalesce(nullif(tag, ''), nullif(name, ''), id) as said from devices
    where project_id = ${projectId} and id = any(${ids}) order by id for update`);
}
