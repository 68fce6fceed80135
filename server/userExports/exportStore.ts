import type { UserExport } from '#contract/user.ts';
import { type Db, empty, sql } from '#server/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/jobs/housekeeping.ts';

const keptDays = 7;

/** A device whose events are exported, from when it joined the home. */
export interface ExportedDevice {
  id: string;
  home: string;
  since: string;
}

export interface ExportRow {
  projectId: string;
  id: string;
  userId: string;
  homeId: string | null;
  state: UserExport['state'];
  devices: ExportedDevice[];
  createdAt: Date;
  file: string | null;
  sizeBytes: string | null;
}

const columns = sql`
  x.project_id as "projectId", x.id, x.user_id as "userId", x.home_id::text as "homeId", x.state, x.devices,
  x.created_at as "createdAt", x.file, x.size_bytes as "sizeBytes"`;

interface Key {
  projectId: string;
  exportId: string;
}

export function findExport(
  db: Db,
  { projectId, exportId, userId }: Key & { userId?: string },
): Promise<ExportRow | undefined> {
  return db.one<ExportRow>(sql`
    select ${columns} from user_exports x join projects p on p.id = x.project_id and p.deleted_at is null
    where x.project_id = ${projectId} and x.id = ${exportId}
      ${userId === undefined ? empty : sql`and x.user_id = ${userId}`}`);
}

/** A running export of the same user and home, if any. */
export function findRunning(
  db: Db,
  { projectId, userId, homeId }: { projectId: string; userId: string; homeId?: string | undefined },
): Promise<ExportRow | undefined> {
  return db.one<ExportRow>(sql`
    select ${columns} from user_exports x
    where x.project_id = ${projectId} and x.user_id = ${userId} and x.state = 'running'
      and x.home_id is not distinct from ${homeId ?? null}::bigint
    limit 1`);
}

/** Stores an export with the current devices of the user’s homes, except for homes where the user is a guest. */
export async function insertExport(
  db: Db,
  given: { projectId: string; id: string; userId: string; homeId?: string | undefined; now: Date },
): Promise<ExportRow> {
  const { projectId, id, userId, homeId, now } = given;
  const row = await db.one<ExportRow>(sql`
    with mine as (
      select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'home', d.home_id::text,
        'since', to_char(d.owned_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        order by d.home_id, d.id), '[]') as devices
      from home_members m join devices d on d.project_id = m.project_id and d.home_id = m.home_id
      where m.project_id = ${projectId} and m.user_id = ${userId} and m.role <> 'guest'
        ${homeId === undefined ? empty : sql`and m.home_id = ${homeId}`}),
    x as (
      insert into user_exports (project_id, id, user_id, home_id, state, devices, created_at)
      select ${projectId}, ${id}, ${userId}, ${homeId ?? null}, 'running', devices, ${now} from mine returning *)
    select ${columns} from x`);
  if (!row) throw new Error('The export was not inserted.');
  return row;
}

/** False if it was deleted with its user meanwhile, or has ended. */
export async function finishExport(
  db: Db,
  { projectId, exportId }: Key,
  { state, file, sizeBytes }: { state: 'done' | 'failed'; file?: string; sizeBytes?: number },
): Promise<boolean> {
  const finished = await db.run(sql`
    update user_exports set state = ${state}, file = ${file ?? null}, size_bytes = ${sizeBytes ?? null}, devices = '[]'
    where project_id = ${projectId} and id = ${exportId} and state = 'running'`);
  return finished > 0;
}

/** How many exports of a user were started since then. */
export async function countExports(
  db: Db,
  { projectId, userId, since }: { projectId: string; userId: string; since: Date },
): Promise<number> {
  const counted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from user_exports
    where project_id = ${projectId} and user_id = ${userId} and created_at > ${since}`);
  return counted?.count ?? 0;
}

/** Whether an export still has to read messages of one of these devices, so that they must not be deleted yet. */
export async function isExported(db: Db, projectId: string, deviceIds: readonly string[]): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from user_exports x, jsonb_array_elements(x.devices) d
    where x.project_id = ${projectId} and x.state = 'running' and d ->> 'id' = any(${[...deviceIds]})
    limit 1`);
  return found !== undefined;
}

/** Files are deleted with their rows. */
export const exportChores: readonly Chore[] = [
  {
    name: 'exports of users',
    deletes: now => sql`
      delete from user_exports where (project_id, id) in (
        select project_id, id from user_exports
        where created_at < ${daysBefore(now, keptDays)} limit ${batch}) returning 1`,
  },
];
