import type { DeviceImport, ImportFault } from '#contract/deviceBulk.ts';
import { dayMs, hourMs } from '#rules/time/durations.ts';
import { retentionDays } from '#rules/time/retention.ts';
import type { Actor } from '#server/api/logs/append.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    checkImport: ImportKey;
    applyImport: ImportKey;
  }
}

/** How long an import waits for its file, and a validated file for being applied. */
export const uploadWithinMs = hourMs;
const applyWithinMs = dayMs;
/** The most validated files kept per project. */
const checkedMax = 3;

export interface ImportRow {
  id: string;
  projectId: string;
  deviceClass: string;
  format: DeviceImport['format'];
  ids: 'keep' | 'new';
  state: DeviceImport['state'];
  file: string | null;
  lines: number;
  good: number;
  bad: number;
  faults: ImportFault[];
  warnings: number;
  created: number;
  error: string | null;
  createdAt: Date;
}

export interface ImportKey {
  projectId: string;
  importId: string;
}

const columns = sql`
  i.id, i.project_id as "projectId", i.device_class as "deviceClass", i.format, i.ids, i.state, i.file, i.lines, i.good,
  i.bad, i.faults, i.created,
  (select count(*)::int from jsonb_array_elements(i.faults) f where f ? 'warning') as warnings, i.error, i.created_at as "createdAt"`;

const named = ({ projectId, importId }: ImportKey) => sql`i.project_id = ${projectId} and i.id = ${importId}`;

/** With `lock`, only the holder of the row lock can continue the import. */
export function findImport(db: Db, key: ImportKey, { lock = false } = {}): Promise<ImportRow | undefined> {
  return db.one<ImportRow>(sql`
    select ${columns} from device_imports i join projects p on p.id = i.project_id and p.deleted_at is null
    where ${named(key)} ${lock ? sql`for no key update of i` : empty}`);
}

/** Locks the project while an import is added, and returns how many are active. */
export async function lockImportCount(db: Db, projectId: string, now: Date): Promise<number> {
  await db.one(sql`select 1 as found from projects where id = ${projectId} for no key update`);
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from device_imports
    where project_id = ${projectId} and (state in ('checking', 'applying')
      or state = 'waiting' and created_at > ${new Date(now.getTime() - uploadWithinMs)})`);
  return row?.count ?? 0;
}

export async function insertImport(
  db: Db,
  given: Pick<ImportRow, 'id' | 'projectId' | 'deviceClass' | 'format' | 'ids'> & { actor: Actor; now: Date },
): Promise<void> {
  const { id, projectId, deviceClass, format, ids, actor, now } = given;
  await db.run(sql`
    insert into device_imports (project_id, id, device_class, format, ids, state, created_by, created_at)
    values (${projectId}, ${id}, ${deviceClass}, ${format}, ${ids}, 'waiting', ${JSON.stringify(actor)}, ${now})`);
}

/** Attaches the file of an import that waits for it. */
export async function takeFile(db: Db, key: ImportKey, place: string): Promise<boolean> {
  const taken = await db.run(sql`
    update device_imports i set state = 'checking', file = ${place} where ${named(key)} and i.state = 'waiting'`);
  return taken === 1;
}

export interface Counts {
  lines: number;
  good: number;
  bad: number;
}

/** Updates the progress of validation. */
export async function recordProgress(db: Db, key: ImportKey, { lines, good, bad }: Counts): Promise<void> {
  await db.run(sql`
    update device_imports i set lines = ${lines}, good = ${good}, bad = ${bad}
    where ${named(key)} and i.state = 'checking'`);
}

/** Files with errors are deleted; of the valid ones, the latest few are kept until they are applied. */
export async function endCheck(
  db: Db,
  key: ImportKey,
  { lines, good, bad, faults }: Counts & { faults: ImportFault[] },
): Promise<void> {
  await db.run(sql`
    update device_imports i set state = 'checked', lines = ${lines}, good = ${good}, bad = ${bad},
      faults = ${JSON.stringify(faults)}, file = case when ${bad} = 0 then file end
    where ${named(key)} and i.state = 'checking'`);
  await db.run(sql`
    update device_imports set state = 'failed', file = null, error = 'It was replaced by later imports.'
    where project_id = ${key.projectId} and id in (
      select id from device_imports
      where project_id = ${key.projectId} and state = 'checked' and file is not null
      order by created_at desc, id desc offset ${checkedMax})`);
}

export async function startApplying(db: Db, key: ImportKey): Promise<void> {
  await db.run(sql`update device_imports i set state = 'applying', error = null where ${named(key)}`);
}

export async function recordCreated(db: Db, key: ImportKey, created: number): Promise<void> {
  await db.run(sql`update device_imports i set created = ${created} where ${named(key)}`);
}

export async function endImport(db: Db, key: ImportKey): Promise<void> {
  await db.run(sql`
    update device_imports i set state = 'done', file = null where ${named(key)} and i.state = 'applying'`);
}

/** `keepsFile`: the import can be applied again once the cause is fixed. */
export async function failImport(
  db: Db,
  key: ImportKey,
  error: string,
  { keepsFile = false } = {},
): Promise<void> {
  await db.run(sql`
    update device_imports i set state = 'failed', error = ${error}, file = case when ${keepsFile} then file end
    where ${named(key)}`);
}

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);

export const importChores: readonly Chore[] = [
  {
    name: 'imports without a file',
    deletes: now => sql`
      update device_imports set state = 'failed', error = 'The file was not uploaded within an hour.'
      where state = 'waiting' and created_at < ${ago(now, uploadWithinMs)} returning 1`,
  },
  {
    name: 'imports not applied',
    deletes: now => sql`
      update device_imports set state = 'failed', file = null, error = 'It was not applied within a day.'
      where state in ('checked', 'failed') and file is not null
        and created_at < ${ago(now, applyWithinMs)} returning 1`,
  },
  {
    name: 'imports',
    deletes: now => sql`
      delete from device_imports where (project_id, id) in (
        select project_id, id from device_imports
        where created_at < ${ago(now, retentionDays.deviceImports * dayMs)} limit ${batch}) returning 1`,
  },
];
