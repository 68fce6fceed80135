import { expect, it } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import { ConfigFaults } from '#contract/moduleConfig.ts';
import {
  listTableVersions,
  readModuleData,
  readTableVersion,
  restoreTableVersion,
  saveTableData,
  TableFaults,
  tableMax,
} from '#contract/moduleData.ts';
import { editSmartModule } from '#contract/smartModule.ts';
import { failing } from '#test/failing.ts';
import { createdModule } from '#test/moduleTypes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';
import { dataFor } from './dataFor.ts';

const at = aProjectWorld();
const paramsOf = (moduleId: string) => ({ projectId: at.projectId, moduleId });
const save = (moduleId: string, body: BodyOf<typeof saveTableData>) =>
  at.owner.client.call(saveTableData, { params: paramsOf(moduleId), body });
const read = (moduleId: string) => at.owner.client.call(readModuleData, { params: paramsOf(moduleId) });
const forRules = (...ids: string[]) => dataFor(at.world.platform.db, at.projectId, ids, at.world.now());
const label = () => unique('label');

it('rows from CSV are found by their key, and each column has the type of its values', async () => {
  const bulkDataLabel = label();
  const { id } = await createdModule(at, 'table', { key: 'tag' }, { bulkDataLabel });
  const csv = 'tag;price;night;part\r\na-1;0,5;true;007\r\na-2;1.25;FALSE;7\r\n__proto__;;true;8\r\n';
  const saved = await save(id, { csv });
  expect(saved).toMatchObject({ version: 1, rows: 3, isCurrent: true, savedBy: 'Ada Lovelace' });
  expect(saved.columns).toEqual([
    { name: 'tag', type: 'text' },
    { name: 'price', type: 'text' },
    { name: 'night', type: 'boolean' },
    { name: 'part', type: 'text' },
  ]);
  const { data, table, isStale } = await read(id);
  expect(isStale).toBe(false);
  expect(table).toMatchObject({ version: 1, key: 'tag', rows: 3 });
  expect(Object.keys(data as object)).toEqual(['a-1', 'a-2', '__proto__']);
  expect(data).toMatchObject({ 'a-2': { tag: 'a-2', price: '1.25', night: false, part: '7' } });
  expect((await forRules(id))[bulkDataLabel]?.data).toEqual(data);
});

it('declared columns enforce their types, and errors name the row and column', async () => {
  const columns = [
    { name: 'tag', type: 'text' },
    { name: 'price', type: 'number' },
  ];
  const { id } = await createdModule(at, 'table', { columns, key: 'tag' });
  await save(id, { rows: [{ tag: 7, price: '2.50' }, { tag: 'b' }] });
  expect((await read(id)).data).toEqual({ 7: { tag: '7', price: 2.5 }, b: { tag: 'b', price: null } });
  const unfit = async (body: BodyOf<typeof saveTableData>) =>
    TableFaults.parse((await failing(save(id, body), 'TABLE_UNFIT')).context).faults;
  expect(await unfit({ csv: 'tag,price\na,cheap\n' })).toEqual([
    { row: 1, column: 'price', message: 'This must be a number, such as 21.5.' },
  ]);
  expect(await unfit({ rows: [{ tag: 'a' }, { tag: 'a' }] })).toEqual([
    { row: 2, column: 'tag', message: 'Row 1 has the same key.' },
  ]);
  expect(await unfit({ rows: [{ tag: 'a', colour: 'red' }] })).toMatchObject([{ row: 1, column: 'colour' }]);
  expect(await unfit({ rows: [{ tag: { deep: true } }] })).toMatchObject([{ row: 1, column: 'tag' }]);
  expect(await unfit({ csv: 'tag,price\n"a,1\n' })).toMatchObject([{ row: 1 }]);
  expect(
    await unfit({ rows: Array.from({ length: tableMax.rows + 1 }, (_, i) => ({ tag: `t${i}` })) }),
  ).toEqual([{ message: 'A table can have at most 10,000 rows.' }]);
  expect((await read(id)).table?.version).toBe(1);
});

it('the last twenty versions are kept, and one can be restored as a new version', async () => {
  const { id } = await createdModule(at, 'table', {});
  for (let i = 1; i <= 22; i += 1) await save(id, { rows: [{ price: i }] });
  const client = at.owner.client;
  const versions = await client.call(listTableVersions, { params: paramsOf(id) });
  expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, i) => 22 - i));
  expect(versions.filter(({ isCurrent }) => isCurrent).map(({ version }) => version)).toEqual([22]);
  const ofVersion = (tableVersion: string) => ({ params: { ...paramsOf(id), tableVersion } });
  await failing(client.call(readTableVersion, ofVersion('2')), 'TABLE_VERSION_NOT_FOUND');
  await failing(client.call(readTableVersion, ofVersion('x')), 'TABLE_VERSION_NOT_FOUND');
  expect((await client.call(readTableVersion, ofVersion('5'))).data).toEqual([{ price: 5 }]);
  const restored = await client.call(restoreTableVersion, ofVersion('5'));
  expect(restored).toMatchObject({ version: 23, isCurrent: true });
  expect((await read(id)).data).toEqual([{ price: 5 }]);
});

it('another key shows the same rows differently, and a key that does not fit is refused', async () => {
  const bulkDataLabel = label();
  const { id } = await createdModule(at, 'table', { key: 'tag' }, { bulkDataLabel });
  await save(id, {
    rows: [
      { tag: 'a', zone: 'x' },
      { tag: 'b', zone: 'x' },
    ],
  });
  expect(Object.keys((await forRules(id))[bulkDataLabel]?.data as object)).toEqual(['a', 'b']);
  const edit = (configData: object) =>
    at.owner.client.call(editSmartModule, {
      params: paramsOf(id),
      body: { configData: configData as never },
    });
  const error = await failing(edit({ key: 'zone' }), 'INVALID_MODULE_CONFIG');
  expect(ConfigFaults.parse(error.context).faults).toEqual([
    {
      pointer: '/key',
      message: 'The current data does not fit. Row 2, column zone: Row 1 has the same key.',
    },
  ]);
  await edit({ key: '' });
  expect((await forRules(id))[bulkDataLabel]?.data).toEqual([
    { tag: 'a', zone: 'x' },
    { tag: 'b', zone: 'x' },
  ]);
});

it('rules see only the data of their project, and changes as soon as they are saved', async () => {
  const [mine, empty] = [label(), label()];
  const { id } = await createdModule(at, 'table', {}, { bulkDataLabel: mine });
  const { id: without } = await createdModule(at, 'table', {}, { bulkDataLabel: empty });
  await save(id, { rows: [{ price: 1 }] });
  expect(await forRules(id, without)).toMatchObject({ [mine]: { data: [{ price: 1 }], isStale: false } });
  expect(await forRules(without)).toEqual({});
  await save(id, { rows: [{ price: 2 }] });
  expect((await forRules(id))[mine]?.data).toEqual([{ price: 2 }]);
  const other = await at.world.aProject(at.owner);
  expect(await dataFor(at.world.platform.db, other.id, [id], at.world.now())).toEqual({});
});

it('only tables can be edited, and only modules that provide data have it', async () => {
  const { id } = await createdModule(at, 'schedule', {
    cron: '0 7 * * *',
    devices: { by: 'tag', tag: 'a' },
    action: { kind: 'command', name: 'on' },
  });
  await failing(save(id, { rows: [] }), 'NOT_A_TABLE');
  await failing(read(id), 'NO_MODULE_DATA');
});
