import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { modulesMax } from '#contract/smartModule.ts';
import type { Resource } from '#server/api/access/access.ts';
import { checkRoom, findInProject } from '#server/api/access/inProject.ts';
import { updateRow } from '#server/infra/db/rows.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { OpenModule } from './moduleType.ts';
import { putSecrets } from './secretPointers.ts';

type Times = 'createdAt' | 'changedAt' | 'suspendedAt' | 'parkedAt' | 'restsUntil';
export interface StoredModule
  extends Omit<SmartModule, Times | 'state' | 'suspendedBecause' | 'parkedBecause' | 'restsBecause'> {
  createdAt: Date;
  changedAt: Date;
  suspendedAt: Date | null;
  suspendedBecause: string | null;
  parkedAt: Date | null;
  parkedBecause: string | null;
  restsUntil: Date | null;
  restsBecause: string | null;
  sealedSecrets: Buffer | null;
}

export const moduleColumns = sql`
  s.id, s.project_id as "projectId", s.module_type as "moduleType", s.description,
  s.subscribed_events as "subscribedEvents", s.device_classes as "deviceClasses", s.bulk_data_label as "bulkDataLabel",
  s.data_source_modules as "dataSourceModules", s.config as "configData", s.secrets as "sealedSecrets", s.suspended,
  s.suspended_because as "suspendedBecause", s.suspended_at as "suspendedAt", s.parked_because as "parkedBecause",
  s.parked_at as "parkedAt", s.created_at as "createdAt", s.created_by as "createdBy", s.changed_at as "changedAt",
  s.revision,
  (select until from module_rests r where r.project_id = s.project_id and r.module_id = s.id) as "restsUntil",
  (select because from module_rests r where r.project_id = s.project_id and r.module_id = s.id) as "restsBecause"`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    smartModule: StoredModule;
  }
}

export const smartModuleResource: Resource<StoredModule> = {
  notFound: 'SMART_MODULE_NOT_FOUND',
  find: (db, { projectId = '', moduleId = '' }, caller) =>
    findInProject<StoredModule>(db, caller, {
      columns: moduleColumns,
      from: sql`smart_modules s`,
      alias: 's',
      where: sql`s.project_id = ${projectId} and s.id = ${moduleId}`,
    }),
};

export function findModule(db: Db, projectId: string, id: string): Promise<StoredModule | undefined> {
  return db.one<StoredModule>(
    sql`select ${moduleColumns} from smart_modules s where s.project_id = ${projectId} and s.id = ${id}`,
  );
}

/** Finds a module and locks it until the transaction ends. */
export function lockModule(db: Db, projectId: string, id: string): Promise<StoredModule | undefined> {
  return db.one<StoredModule>(sql`
    select ${moduleColumns} from smart_modules s where s.project_id = ${projectId} and s.id = ${id}
    for no key update`);
}

/** The stored fields of a module; absent fields are not changed. */
export interface ModuleEdit {
  description?: string | undefined;
  subscribedEvents?: readonly string[] | undefined;
  deviceClasses?: readonly string[] | undefined;
  bulkDataLabel?: string | undefined;
  dataSourceModules?: readonly string[] | undefined;
  config?: object | undefined;
  sealedSecrets?: Buffer | null | undefined;
  dueAt?: Date | null | undefined;
}

export async function insertModule(
  db: Db,
  given: ModuleEdit & {
    projectId: string;
    id: string;
    moduleType: ModuleTypeId;
    suspended: boolean;
    createdBy: string;
    now: Date;
  },
): Promise<void> {
  const { projectId, now } = given;
  await checkRoom(db, projectId, { table: 'smart_modules', max: modulesMax, reason: 'TOO_MANY_MODULES' });
  await db.run(sql`
    insert into smart_modules
      (project_id, id, module_type, description, subscribed_events, device_classes, bulk_data_label,
       data_source_modules, config, secrets, suspended, suspended_at, due_at, created_at, created_by, changed_at)
    values (${projectId}, ${given.id}, ${given.moduleType}, ${given.description ?? ''},
      ${given.subscribedEvents ?? []}, ${given.deviceClasses ?? []}, ${given.bulkDataLabel ?? ''},
      ${given.dataSourceModules ?? []}, ${JSON.stringify(given.config)}, ${given.sealedSecrets ?? null},
      ${given.suspended}, ${given.suspended ? now : null}, ${given.dueAt ?? null}, ${now}, ${given.createdBy}, ${now})`);
}

export function updateModule(
  db: Db,
  { projectId, id }: Pick<StoredModule, 'projectId' | 'id'>,
  { subscribedEvents, deviceClasses, dataSourceModules, ...edit }: ModuleEdit & { changedAt?: Date },
): Promise<number> {
  const kept = {
    ...edit,
    subscribedEvents: subscribedEvents && sql`${subscribedEvents}`,
    deviceClasses: deviceClasses && sql`${deviceClasses}`,
    dataSourceModules: dataSourceModules && sql`${dataSourceModules}`,
  };
  return updateRow(db, 'smart_modules', { project_id: projectId, id }, kept, {
    description: 'description',
    subscribedEvents: 'subscribed_events',
    deviceClasses: 'device_classes',
    bulkDataLabel: 'bulk_data_label',
    dataSourceModules: 'data_source_modules',
    config: 'config',
    sealedSecrets: 'secrets',
    dueAt: 'due_at',
    changedAt: 'changed_at',
  });
}

/** Suspends a module, with a reason if the platform does it, or resumes it. Both unpark the module. */
export function setSuspended(
  db: Db,
  { projectId, id }: Pick<StoredModule, 'projectId' | 'id'>,
  { suspended, because, now }: { suspended: boolean; because?: string; now: Date },
): Promise<number> {
  return db.run(sql`
    update smart_modules set suspended = ${suspended}, suspended_because = ${because ?? null},
      suspended_at = ${suspended ? now : null}, parked_at = null, parked_because = null, revision = revision + 1
    where project_id = ${projectId} and id = ${id} and suspended <> ${suspended}`);
}

/** Parks a module: its runs wait until someone recovers or resumes it. Null unparks it. */
export function setParked(
  db: Db,
  { projectId, id }: Pick<StoredModule, 'projectId' | 'id'>,
  parked: { because: string; now: Date } | null,
): Promise<number> {
  return db.run(sql`
    update smart_modules set parked_at = ${parked?.now ?? null}, parked_because = ${parked?.because ?? null},
      revision = revision + 1
    where project_id = ${projectId} and id = ${id} and (parked_at is null) = ${parked !== null}`);
}

/** Sets when a module with a schedule is due next. */
export async function setDue(
  db: Db,
  { projectId, id }: Pick<StoredModule, 'projectId' | 'id'>,
  dueAt: Date | undefined,
): Promise<void> {
  await db.run(sql`
    update smart_modules set due_at = ${dueAt ?? null} where project_id = ${projectId} and id = ${id}`);
}

/** The due time of a module whose run was not stored yet. */
export async function pendingDue(
  db: Db,
  { projectId, id }: Pick<StoredModule, 'projectId' | 'id'>,
  now: Date,
): Promise<Date | undefined> {
  const row = await db.one<{ dueAt: Date }>(sql`
    select due_at as "dueAt" from smart_modules
    where project_id = ${projectId} and id = ${id} and due_at <= ${now}`);
  return row?.dueAt;
}

/** Resets transaction ids that this database has not reached yet: they come from a restored backup. */
export async function forgetTransactions(db: Db, nextTx: bigint): Promise<void> {
  await db.run(
    sql`update smart_modules set since_tx = '3' where since_tx > ${nextTx.toString()}::text::xid8`,
  );
}

/** Deletes a module with its runs and counts. */
export async function deleteModule(db: Db, projectId: string, id: string): Promise<void> {
  await db.run(sql`delete from smart_modules where project_id = ${projectId} and id = ${id}`);
}

/** The module as it is used, with its secrets. */
export function openModule(
  { sealing }: Pick<Platform, 'sealing'>,
  { configData, sealedSecrets, ...module }: StoredModule,
): OpenModule {
  return { ...module, config: putSecrets(configData, secretsOf({ sealing }, { sealedSecrets })) };
}

/** The secrets by JSON pointer. */
export function secretsOf(
  { sealing }: Pick<Platform, 'sealing'>,
  { sealedSecrets }: Pick<StoredModule, 'sealedSecrets'>,
): Record<string, string> {
  return sealedSecrets ? (JSON.parse(sealing.open(sealedSecrets)) as Record<string, string>) : {};
}

/** The module as the API shows it. */
export function toModule({ sealedSecrets: _, ...row }: StoredModule): SmartModule {
  const { createdAt, changedAt, suspendedAt, suspendedBecause, parkedAt, parkedBecause, ...others } = row;
  const { restsUntil, restsBecause, ...rest } = others;
  return {
    ...rest,
    state: row.suspended ? 'suspended' : parkedAt ? 'parked' : 'running',
    createdAt: createdAt.toISOString(),
    changedAt: changedAt.toISOString(),
    ...(suspendedAt && { suspendedAt: suspendedAt.toISOString() }),
    ...(suspendedBecause && { suspendedBecause }),
    ...(parkedAt && { parkedAt: parkedAt.toISOString() }),
    ...(parkedBecause && { parkedBecause }),
    ...(restsUntil && { restsUntil: restsUntil.toISOString() }),
    ...(restsBecause && { restsBecause }),
  };
}
