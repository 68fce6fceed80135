import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import { Problem } from '#contract/problem.ts';
import type { checkModuleConfig, createSmartModule, editSmartModule } from '#contract/smartModule.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { storedEventNames } from '#server/api/endpoints/subscribedEvents.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { discardWaiting } from '#server/modules/runs/discardWaiting.ts';
import { forgetHealth } from '#server/modules/runs/forgetHealth.ts';
import { publishModules } from '#server/modules/smartModules/moduleNotices.ts';
import * as store from '#server/modules/smartModules/store.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';
import { type CheckedConfig, type ConfigBefore, checkConfig } from './checkConfig.ts';

type Saving = Call<typeof createSmartModule> | Call<typeof editSmartModule>;

/** Checks before the transaction, because a check may send slow requests. */
export async function checkCreate(call: Call<typeof createSmartModule>): Promise<CheckedConfig> {
  const { body, params, db, platform } = call;
  const type = typeOf(body.moduleType);
  await checkReferences(db, params.projectId, body.moduleType, body);
  return checkConfig(type, type.fillIn?.(body.configData) ?? body.configData, {
    db,
    platform,
    projectId: params.projectId,
    moduleId: undefined,
    subscribedEvents: body.subscribedEvents ?? [],
    deviceClasses: body.deviceClasses ?? [],
    dataSourceModules: body.dataSourceModules ?? [],
  });
}

export async function create(call: Call<typeof createSmartModule>, checked: CheckedConfig) {
  const { db, body, params, now } = call;
  const { projectId } = params;
  const { subscribedEvents = [], suspended = false, configData: _, ...given } = body;
  const { id, moduleType } = given;
  // Checked again: a data source may have been deleted since.
  await checkReferences(db, projectId, moduleType, body);
  await store.insertModule(db, {
    ...given,
    projectId,
    suspended,
    now,
    subscribedEvents: storedEventNames(subscribedEvents),
    createdBy: actorOf(call).displayName,
    ...stored(call, checked),
    dueAt: dueOf(moduleType, checked.whole, now),
  });
  return saved(call, projectId, id);
}

/** Undefined if the edit does not affect the configuration. `revision` is that of the checked module. */
export async function checkEdit(
  call: Call<typeof editSmartModule>,
): Promise<(CheckedConfig & { revision: number }) | undefined> {
  const { body, row, db, platform } = call;
  await checkReferences(db, row.projectId, row.moduleType, body);
  // A change of classes, events or data can break a condition that did not change.
  const touches = ['configData', 'deviceClasses', 'subscribedEvents', 'dataSourceModules'] as const;
  if (touches.every(field => body[field] === undefined)) return undefined;
  const checked = await checkConfig(typeOf(row.moduleType), body.configData ?? row.configData, {
    db,
    platform,
    projectId: row.projectId,
    moduleId: row.id,
    subscribedEvents: body.subscribedEvents ?? row.subscribedEvents,
    deviceClasses: body.deviceClasses ?? row.deviceClasses,
    dataSourceModules: body.dataSourceModules ?? row.dataSourceModules,
    before: beforeOf(platform, row),
  });
  return { ...checked, revision: row.revision };
}

export async function edit(
  call: Call<typeof editSmartModule>,
  checked: Awaited<ReturnType<typeof checkEdit>>,
) {
  const { db, body, row, now } = call;
  const { suspended, configData: _, subscribedEvents, ...fields } = body;
  // The check took time: saving its result would undo changes that someone else made meanwhile.
  if (checked && checked.revision !== row.revision)
    throw new Problem('STALE', { context: { current: store.toModule(row) } });
  await checkReferences(db, row.projectId, row.moduleType, body);
  await checkLabel(db, row, body.bulkDataLabel);
  await store.updateModule(db, row, {
    ...fields,
    subscribedEvents: subscribedEvents && storedEventNames(subscribedEvents),
    ...(checked && { ...stored(call, checked), dueAt: await dueAfterEdit(call, checked.whole) }),
    changedAt: now,
  });
  if (suspended !== undefined && suspended !== row.suspended) {
    await store.setSuspended(db, row, { suspended, now });
    if (suspended) await discardWaiting(db, row.projectId, row.id, now);
    else {
      await forgetHealth(db, row);
      await dueAgain(call);
    }
  }
  call.before = store.toModule(row);
  return saved(call, row.projectId, row.id);
}

/** A time that has come stays due, also if the edit comes before its run was stored. */
async function dueAfterEdit(
  { db, row, now }: Call<typeof editSmartModule>,
  config: object,
): Promise<Date | null> {
  const pending = row.suspended ? undefined : await store.pendingDue(db, row, now);
  return pending ?? dueOf(row.moduleType, config, now) ?? null;
}

/** Schedules the next run; runs that were missed while the module was suspended are not made up for. */
async function dueAgain({ db, platform, row, now }: Call<typeof editSmartModule>): Promise<void> {
  const found = await store.findModule(db, row.projectId, row.id);
  if (found)
    await store.setDue(db, row, dueOf(row.moduleType, store.openModule(platform, found).config, now));
}

export async function checkOnly(call: Call<typeof checkModuleConfig>) {
  const { body, db, platform, params } = call;
  const { moduleType, moduleId, configData, ...given } = body;
  const before = moduleId === undefined ? undefined : await store.findModule(db, params.projectId, moduleId);
  const type = typeOf(moduleType);
  try {
    const { notes } = await checkConfig(
      type,
      before ? configData : (type.fillIn?.(configData) ?? configData),
      {
        db,
        platform,
        projectId: params.projectId,
        moduleId,
        subscribedEvents: given.subscribedEvents ?? [],
        deviceClasses: given.deviceClasses ?? [],
        dataSourceModules: given.dataSourceModules ?? [],
        before: before?.moduleType === moduleType ? beforeOf(platform, before) : undefined,
      },
    );
    return { faults: [], notes };
  } catch (error) {
    if (error instanceof Problem && error.reason === 'INVALID_MODULE_CONFIG')
      return { ...(error.context as { faults: [] }), notes: [] };
    throw error;
  }
}

async function saved({ db, platform, afterCommit }: Saving, projectId: string, id: string) {
  const row = await store.findModule(db, projectId, id);
  if (!row) throw new Problem('SMART_MODULE_NOT_FOUND');
  await typeOf(row.moduleType).changed?.(db, store.openModule(platform, row), platform);
  afterCommit(() => publishModules(platform, { projectId }));
  return store.toModule(row);
}

function stored({ platform }: Saving, { config, secrets }: CheckedConfig) {
  const hasSecrets = Object.keys(secrets).length > 0;
  return { config, sealedSecrets: hasSecrets ? platform.sealing.seal(JSON.stringify(secrets)) : null };
}

const dueOf = (moduleType: ModuleTypeId, config: object, now: Date) =>
  typeOf(moduleType).dueAfter?.(config, now);

const beforeOf = (platform: Saving['platform'], row: store.StoredModule): ConfigBefore => ({
  config: row.configData,
  secrets: store.secretsOf(platform, row),
});

/** Modules that use this one's data refer to it by its label: after a rename, they would silently find nothing. */
async function checkLabel(db: Db, row: store.StoredModule, label = row.bulkDataLabel): Promise<void> {
  if (label === row.bulkDataLabel) return;
  const users = await db.many<{ id: string }>(sql`
    select id from smart_modules
    where project_id = ${row.projectId} and ${row.id} = any(data_source_modules)
      and config::text ~ ${`\\mdata[\\s.[\\\\"']+${row.bulkDataLabel}(?![\\w-])`}
    order by id limit 20`);
  if (users.length === 0) return;
  const ids = users.map(({ id }) => id);
  throw new Problem('LABEL_IN_USE', {
    message: `These smart modules use data with the label ${row.bulkDataLabel}: ${ids.join(', ')}. Remove it from them first.`,
    fields: { bulkDataLabel: 'LABEL_IN_USE' },
    context: { smartModules: ids },
  });
}

/**
 * Checks the classes and data sources that a module names. In a transaction, also locks the sources against deletion.
 */
async function checkReferences(
  db: Db,
  projectId: string,
  moduleType: ModuleTypeId,
  {
    deviceClasses = [],
    dataSourceModules = [],
  }: { deviceClasses?: string[] | undefined; dataSourceModules?: string[] | undefined },
): Promise<void> {
  if (deviceClasses.length > 0) {
    const found = await db.many<{ id: string }>(sql`
      select id from device_classes where project_id = ${projectId} and id = any(${deviceClasses})`);
    const missing = deviceClasses.find(id => !found.some(one => one.id === id));
    if (missing !== undefined)
      throw new Problem('DEVICE_CLASS_NOT_FOUND', { fields: { deviceClasses: 'DEVICE_CLASS_NOT_FOUND' } });
  }
  if (dataSourceModules.length === 0) return;
  const sources = await db.many<{ id: string }>(sql`
    select id from smart_modules where project_id = ${projectId} and id = any(${dataSourceModules})
      and module_type = any(${[...typeOf(moduleType).dataSourceModuleTypes]}) and bulk_data_label <> ''
    order by id for share`);
  if (dataSourceModules.some(id => !sources.some(one => one.id === id)))
    throw new Problem('DATA_SOURCE_UNFIT', { fields: { dataSourceModules: 'DATA_SOURCE_UNFIT' } });
}
