import { expect, it } from 'vitest';
import { moduleTypeIds } from '#contract/moduleConfig.ts';
import {
  createSmartModule,
  deleteSmartModule,
  editSmartModule,
  listSmartModules,
  listSmartModuleTypes,
  modulesMax,
  readModuleTypeDoc,
  readSmartModule,
  type SmartModule,
} from '#contract/smartModule.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { createdModule } from '#test/moduleTypes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
const inProject = () => ({ projectId: at.projectId });
const ofModule = (moduleId: string) => ({ params: { ...inProject(), moduleId } });

it('every type has a form and a description', async () => {
  const types = await at.owner.client.call(listSmartModuleTypes, { params: inProject() });
  expect(types.map(({ id }) => id).toSorted()).toEqual([...moduleTypeIds].toSorted());
  for (const { id: moduleType, summary } of types) {
    const { schema } = await at.owner.client.call(readModuleTypeDoc, {
      params: { ...inProject(), moduleType },
    });
    expect([summary.endsWith('.'), schema.type]).toEqual([true, 'object']);
  }
  const call = at.owner.client.call(readModuleTypeDoc, { params: { ...inProject(), moduleType: 'none' } });
  await failing(call, 'MODULE_TYPE_NOT_FOUND');
});

it('a label belongs to one module of a project, regardless of case', async () => {
  const bulkDataLabel = unique('limits');
  await createdModule(at, 'table', {}, { bulkDataLabel });
  const taken = createdModule(at, 'table', {}, { bulkDataLabel: bulkDataLabel.toUpperCase() });
  await failing(taken, 'LABEL_TAKEN');
});

it('only modules that provide data can be data sources, and they cannot be deleted while they are used', async () => {
  const { id: source } = await createdModule(at, 'table', {}, { bulkDataLabel: unique('limits') });
  const { id: without } = await createdModule(at, 'table', {});
  const condition = { condition: 'true', actions: [{ kind: 'alert', text: 'x' }] };
  for (const dataSourceModules of [[without], ['none']])
    await failing(createdModule(at, 'rule', condition, { dataSourceModules }), 'DATA_SOURCE_UNFIT');
  const { id } = await createdModule(at, 'rule', condition, { dataSourceModules: [source] });
  const restricted = await failing(
    at.owner.client.call(deleteSmartModule, ofModule(source)),
    'DEPENDENCY_RESTRICTION',
  );
  expect(restricted.context).toEqual({ smartModules: [id] });
  await at.owner.client.call(deleteSmartModule, ofModule(id));
  await at.owner.client.call(deleteSmartModule, ofModule(source));
  await failing(at.owner.client.call(readSmartModule, ofModule(source)), 'SMART_MODULE_NOT_FOUND');
});

it('a label that other modules use cannot be changed, and the error names these modules', async () => {
  const [label, bulkDataLabel] = [unique('limits'), unique('bounds')];
  const { id: source } = await createdModule(at, 'table', {}, { bulkDataLabel: label });
  const ofAnother = `${label}-2`;
  const { id: another } = await createdModule(at, 'table', {}, { bulkDataLabel: ofAnother });
  const config = { condition: `data["${label}"][0].max > 3`, actions: [{ kind: 'alert', text: label }] };
  const { id } = await createdModule(at, 'rule', config, { dataSourceModules: [source, another] });
  const edit = (body: Partial<Pick<SmartModule, 'bulkDataLabel' | 'description'>>) =>
    at.owner.client.call(editSmartModule, { ...ofModule(source), body });
  for (const renamed of [bulkDataLabel, '', label.toUpperCase()]) {
    const refused = await failing(edit({ bulkDataLabel: renamed }), 'LABEL_IN_USE');
    expect([refused.context, refused.message]).toEqual([{ smartModules: [id] }, expect.stringContaining(id)]);
  }
  expect(await edit({ bulkDataLabel: label, description: 'By room' })).toMatchObject({
    bulkDataLabel: label,
  });
  const condition = `data["${ofAnother}"][0].max > 3`;
  const configData = { ...config, condition } as never;
  await at.owner.client.call(editSmartModule, { ...ofModule(id), body: { configData } });
  expect(await edit({ bulkDataLabel })).toMatchObject({ bulkDataLabel });
});

/** Number of queries that wait for a lock. */
async function waiting(): Promise<number> {
  const row = await at.world.platform.db.one<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`);
  return row?.count ?? 0;
}

it('an edit does not undo a change that was made during its check', async () => {
  const { id } = await createdModule(at, 'table', { columns: [], key: '' });
  const key = sql`project_id = ${at.projectId} and id = ${id}`;
  let edit: Promise<unknown> | undefined;
  await at.world.platform.db.tx(async tx => {
    await tx.run(sql`select from smart_modules where ${key} for update`);
    const body = { subscribedEvents: ['_state_'] };
    edit = failing(at.owner.client.call(editSmartModule, { ...ofModule(id), body }), 'STALE');
    await until(async () => ((await waiting()) === 1 ? true : undefined));
    const config = JSON.stringify({ columns: [], key: 'tag' });
    await tx.run(sql`update smart_modules set config = ${config}, revision = revision + 1 where ${key}`);
  });
  await edit;
  const { configData } = await at.owner.client.call(readSmartModule, ofModule(id));
  expect(configData).toEqual({ columns: [], key: 'tag' });
});

it('a data source that is deleted concurrently is refused', async () => {
  const { id: source } = await createdModule(at, 'table', {}, { bulkDataLabel: unique('limits') });
  const config = { condition: 'true', actions: [{ kind: 'alert', text: 'x' }] };
  let create: Promise<unknown> | undefined;
  await at.world.platform.db.tx(async tx => {
    const key = sql`project_id = ${at.projectId} and id = ${source}`;
    await tx.run(sql`select from smart_modules where ${key} for no key update`);
    create = failing(createdModule(at, 'rule', config, { dataSourceModules: [source] }), 'DATA_SOURCE_UNFIT');
    await until(async () => ((await waiting()) === 1 ? true : undefined));
    await tx.run(sql`delete from smart_modules where ${key}`);
  });
  await create;
});

it('a project has at most a hundred modules', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  await at.world.platform.db.run(sql`
    insert into smart_modules (project_id, id, module_type, config, created_at, created_by, changed_at)
    select ${projectId}, 'm' || n, 'table', '{"columns": [], "key": ""}', now(), '', now()
    from generate_series(1, ${modulesMax}) as n`);
  const body = { id: 'one-more', moduleType: 'table', configData: {} } as const;
  const more = at.owner.client.call(createSmartModule, { params: { projectId }, body });
  await failing(more, 'TOO_MANY_MODULES');
});

it('an id is unique in its project, and another project cannot see the module', async () => {
  const { id } = await createdModule(at, 'table', {});
  await failing(createdModule(at, 'table', {}, { id }), 'ID_TAKEN');
  const { id: projectId } = await at.world.aProject(at.owner);
  const elsewhere = { params: { projectId, moduleId: id } };
  await failing(at.owner.client.call(readSmartModule, elsewhere), 'SMART_MODULE_NOT_FOUND');
  const edit = at.owner.client.call(editSmartModule, { ...elsewhere, body: { description: 'mine' } });
  await failing(edit, 'SMART_MODULE_NOT_FOUND');
  const { items } = await at.owner.client.call(listSmartModules, { params: { projectId }, query: {} });
  expect(items).toEqual([]);
});
