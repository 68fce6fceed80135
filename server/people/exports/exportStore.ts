import type { UserExport } from '#contract/user.ts';
import { retentionDays } from '#rules/time/retention.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import type { Platform } from '#server/infra/platform.ts';

/** All attempts together take some hours. */
const writtenWithinDays = 1;

/** A device whose events are exported, from when it joined the home, as it was when the export began. */
export interface ExportedDevice {
  id: string;
  home: string;
  since: string;
  name?: string;
  deviceClass?: string;
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

interface Wanted {
  projectId: string;
  userId: string;
  homeId?: string | undefined;
}

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

/**
 * A running export of the same user and home, if any. The export of a home must contain all its devices: some may have
 * joined since it began.
 */
export function findRunning(db: Db, { projectId, userId, homeId }: Wanted): Promise<ExportRow | undefined> {
  return db.one<ExportRow>(sql`
    select ${columns} from user_exports x
    where x.project_id = ${projectId} and x.user_id = ${userId} and x.state = 'running'
      and x.home_id is not distinct from ${homeId ?? null}::bigint
      ${homeId === undefined ? empty : sql`and x.devices @> (${devicesOf({ projectId, userId, homeId })})`}
    limit 1`);
}

/** Stores an export with the current devices of the user’s homes, except for homes where the user is a guest. */
export async function insertExport(db: Db, given: Wanted & { id: string; now: Date }): Promise<ExportRow> {
  const { projectId, id, userId, homeId, now } = given;
  const row = await db.one<ExportRow>(sql`
    with x as (
      insert into user_exports (project_id, id, user_id, home_id, state, devices, created_at)
      select ${projectId}, ${id}, ${userId}, ${homeId ?? null}, 'running', (${devicesOf(given)}), ${now} returning *)
    select ${columns} from x`);
  if (!row) throw new Error('The export was not inserted.');
  return row;
}

/** The devices of a user's homes, except for homes where the user is a guest. */
const devicesOf = ({ projectId, userId, homeId }: Wanted): Sql => sql`
  select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'home', d.home_id::text, 'name', d.name,
    'deviceClass', d.device_class,
    'since', to_char(d.owned_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    order by d.home_id, d.id), '[]')
  from home_members m join devices d on d.project_id = m.project_id and d.home_id = m.home_id
  where m.project_id = ${projectId} and m.user_id = ${userId} and m.role <> 'guest'
    ${homeId === undefined ? empty : sql`and m.home_id = ${homeId}`}`;

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

/**
 * Fails exports that nobody writes any more: a process that dies during the last attempt leaves its export running, and
 * the messages of its devices would not be deleted, nor another export begun.
 */
export async function failAbandoned({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  await db.run(sql`
    update user_exports set state = 'failed', devices = '[]'
    where state = 'running' and created_at < ${daysBefore(clock(), writtenWithinDays)}`);
}

/** Files are deleted with their rows. */
export const exportChores: readonly Chore[] = [
  {
    name: 'exports of users',
    deletes: now => sql`
      delete from user_exports where (project_id, id) in (
        select project_id, id from user_exports
        where created_at < ${daysBefore(now, retentionDays.userExports)} limit ${batch}) returning 1`,
  },
];
