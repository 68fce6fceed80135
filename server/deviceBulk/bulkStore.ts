import type { actOnDevices, DeviceAction } from '#contract/deviceBulk.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type Database, type Db, empty, sql } from '#server/db/sql.ts';
import { type DeviceFilter, matching } from '#server/devices/list/filters.ts';
import { batch, type Chore } from '#server/jobs/housekeeping.ts';
import type { Actor } from '#server/logs/append.ts';

/** Days for which the record of an action is kept. */
const keptDays = 30;

/** The requested action, and who requested it. */
export interface Asked extends Pick<DeviceAction, 'channel' | 'ids' | 'matching'> {
  actor: Actor;
}

export interface ActionRow {
  id: string;
  projectId: string;
  action: BodyOf<typeof actOnDevices>['action'];
  asked: Asked;
  state: DeviceAction['state'];
  total: string;
  done: string;
  cursor: string;
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

const columns = sql`
  a.id, a.project_id as "projectId", a.action, a.asked, a.state, a.total, a.done, a.cursor, a.error,
  a.created_at as "createdAt", a.finished_at as "finishedAt"`;

export function toAction({ id, action, asked, state, total, done, error, ...row }: ActionRow): DeviceAction {
  const { actor: _, ...given } = asked;
  return {
    ...{ id, action, ...given, state, total: Number(total), done: Number(done) },
    ...(error !== null && { error }),
    createdAt: row.createdAt.toISOString(),
    ...(row.finishedAt && { finishedAt: row.finishedAt.toISOString() }),
  };
}

export async function insertAction(
  db: Db,
  given: Pick<ActionRow, 'id' | 'projectId' | 'action' | 'asked'> & {
    state: 'running' | 'done';
    total: number;
    now: Date;
  },
): Promise<ActionRow | undefined> {
  const { id, projectId, action, asked, state, total, now } = given;
  const isDone = state === 'done';
  return db.one<ActionRow>(sql`
    insert into device_actions as a (project_id, id, action, asked, state, total, done, created_at, finished_at)
    values (${projectId}, ${id}, ${action}, ${JSON.stringify(asked)}, ${state}, ${total}, ${isDone ? total : 0},
      ${now}, ${isDone ? now : null})
    returning ${columns}`);
}

/** With `lock`, only the holder of the row lock can take the next step. */
export function findAction(
  db: Db,
  projectId: string,
  id: string,
  { lock = false } = {},
): Promise<ActionRow | undefined> {
  return db.one<ActionRow>(sql`
    select ${columns} from device_actions a join projects p on p.id = a.project_id and p.deleted_at is null
    where a.project_id = ${projectId} and a.id = ${id} ${lock ? sql`for no key update of a` : empty}`);
}

export async function stepAction(
  db: Db,
  { projectId, id }: ActionRow,
  { cursor, done, isLast, now }: { cursor: string; done: number; isLast: boolean; now: Date },
): Promise<void> {
  await db.run(sql`
    update device_actions set cursor = ${cursor}, done = done + ${done},
      state = ${isLast ? 'done' : 'running'}, finished_at = ${isLast ? now : null}
    where project_id = ${projectId} and id = ${id}`);
}

export async function failAction(
  db: Db,
  { projectId, id }: Pick<ActionRow, 'projectId' | 'id'>,
  error: string,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update device_actions set state = 'failed', error = ${error}, finished_at = ${now}
    where project_id = ${projectId} and id = ${id} and state = 'running'`);
}

export async function countMatching(db: Db, filter: DeviceFilter): Promise<number> {
  const row = await db.one<{ count: number }>(sql`select count(*)::int as count ${from(filter)}`);
  return row?.count ?? 0;
}

/** Whether devices that match are of a class without the channel. */
export async function lackChannel(db: Db, filter: DeviceFilter, channel: string): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found ${from(filter)} and not exists (
      select from channels c
      where c.project_id = d.project_id and c.device_class = d.device_class and c.name = ${channel}) limit 1`);
  return found !== undefined;
}

/** The next matching devices by id. Devices created after the request are not included. */
export async function nextMatching(
  db: Database,
  filter: DeviceFilter,
  { after, before, limit }: { after: string; before: Date; limit: number },
): Promise<string[]> {
  const rows = await db.search<{ id: string }>(sql`
    select d.id ${from(filter)} and d.id > ${after} and d.created_at <= ${before} order by d.id limit ${limit}`);
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

export const bulkChores: readonly Chore[] = [
  {
    name: 'device actions',
    deletes: now => sql`
      delete from device_actions where (project_id, id) in (
        select project_id, id from device_actions
        where created_at < ${new Date(now.getTime() - keptDays * 86_400_000)} limit ${batch}) returning 1`,
  },
];
