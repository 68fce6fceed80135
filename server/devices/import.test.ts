import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editDevice, listDevices, readDevice } from '#contract/device.ts';
import { applyImport } from '#contract/deviceBulk.ts';
import { editProject, type Project } from '#contract/project.ts';
import { sql } from '#server/db/sql.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { appliedImport, checkedImport, exported, faultsOf, rested } from '#test/imports.ts';
import { auditOf } from '#test/rows.ts';
import { aWorld, minuteMs, type SignedIn, type World } from '#test/world.ts';
import { hashKey } from './keys.ts';

let world: World;
let owner: SignedIn;
let project: Project;

beforeAll(async () => {
  world = await aWorld();
  owner = await world.aDeveloper();
  project = await world.aProject(owner);
});
afterAll(() => world.end());

const _attempt = { isLast: false, signal: undefined };
const anId = (n: number) => `dev_01k9x3m2h4e6d8b0a2c4e6${n.toString().padStart(4, '0')}`;
const aKey = 'k'.repeat(32);

async function aTarget(of = project) {
  const { id } = await aClass(owner, of.id);
  return { projectId: of.id, deviceClass: id };
}
const devicesOf = ({ projectId, deviceClass }: { projectId: string; deviceClass: string }) =>
  world.platform.db.many<{ id: string; tag: string; claimCode: string }>(sql`
    select d.id, d.tag, d.claim_code as "claimCode" from devices d
    join device_presence s on s.project_id = d.project_id and s.device_id = d.id
    where d.project_id = ${projectId} and d.device_class = ${deviceClass} order by d.tag`);
const apply = (projectId: string, importId: string) =>
  owner.client.call(applyImport, { params: { projectId, importId } });

describe('an import', () => {
  it('is checked without writing anything, and then makes the devices', async () => {
    const target = await aTarget();
    const file = JSON.stringify([
      { tag: 'a', name: 'A', kv: { rate: 5 } },
      { tag: 'b', suspended: true, apiKey: aKey },
    ]);
    const checked = await checkedImport(owner, target, file);
    expect(checked).toMatchObject({ state: 'checked', lines: 2, good: 2, bad: 0, created: 0 });
    expect(checked.uploadUrl).toBeUndefined();
    expect(await devicesOf(target)).toEqual([]);
    expect(await apply(project.id, checked.id)).toMatchObject({ state: 'applying' });
    expect(await rested(owner, project.id, checked.id)).toMatchObject({ state: 'done', created: 2 });
    const [a, b] = await devicesOf(target);
    expect([a?.tag, b?.tag]).toEqual(['a', 'b']);
    expect(a?.claimCode).toMatch(/^[2-9A-Z]{10}$/);
    const device = await owner.client.call(readDevice, { params: { deviceId: b?.id ?? '' } });
    expect(device).toMatchObject({
      suspended: true,
      apiKeyEnd: 'kkkk',
      apiKeyReadable: true,
      connectionStatus: 'never',
    });
    const kept = await world.platform.db.one<{ hash: Buffer }>(
      sql`select key_hash as hash from devices where id = ${b?.id}`,
    );
    expect(kept?.hash.equals(hashKey(aKey))).toBe(true);
    const texts = (await auditOf(world, project.id)).map(({ text }) => text);
    expect(texts).toContain(`Import of devices of class ${target.deviceClass} prepared`);
    expect(texts).toContain(`Devices of class ${target.deviceClass} imported`);
    await failing(apply(project.id, checked.id), 'IMPORT_NOT_READY');
  });

  it.each(['json', 'csv'] as const)(
    'of an export as %s into another project makes the same devices',
    async format => {
      const { id: deviceClass } = await aClass(owner, project.id);
      const other = await world.aProject(owner);
      await aClass(owner, other.id, { id: deviceClass });
      const texts = ['=1+1', "'=1", '@a', '-1', '+1', "'tis", 'a,b', 'a"b', '', '♥', '＝x', 'x'.repeat(100)];
      for (const [i, tag] of texts.entries()) {
        const device = await aDevice(owner, project.id, {
          deviceClass,
          tag,
          name: tag,
          description: `${tag}\r\n"${tag}`,
        });
        const body = { suspended: i % 2 === 0, channel: i % 3 === 0 ? 'beta' : '' };
        await owner.client.call(editDevice, { params: { deviceId: device.id }, body });
        await world.platform.db.run(sql`
        insert into device_kv (project_id, device_id, key, value, updated_at)
        values (${project.id}, ${device.id}, ${`key-${i}`}, ${JSON.stringify({ z: tag, a: [i, { '': null }] })}, now())`);
      }
      const first = await exported(world, owner, project.id, { deviceClass, format });
      const done = await appliedImport(
        owner,
        { projectId: other.id, deviceClass, format, ids: 'new' },
        first.text,
      );
      expect(done).toMatchObject({ state: 'done', created: texts.length });
      const again = await exported(world, owner, other.id, { deviceClass, format });
      const lines = (text: string) =>
        text
          .replaceAll(/dev_[0-9a-z]{26}/g, 'dev_x')
          .split(format === 'json' ? ',\n' : 'dev_x')
          .map(line => line.replaceAll(/[[\]\n]/g, ''))
          .sort();
      expect(lines(again.text)).toEqual(lines(first.text));
      expect(again.text).not.toBe(first.text);
    },
  );

  it('keeps the ids that are in the file where it is told to', async () => {
    const target = await aTarget();
    const file = [1, 2].map(n => JSON.stringify({ id: anId(n), tag: `t${n}` })).join('\n');
    expect(await appliedImport(owner, { ...target, ids: 'keep' }, file)).toMatchObject({ state: 'done' });
    expect((await devicesOf(target)).map(({ id }) => id)).toEqual([anId(1), anId(2)]);
    const twice = await checkedImport(owner, { ...target, ids: 'keep' }, file);
    expect(twice).toMatchObject({ state: 'checked', good: 0, bad: 2 });
    expect(await faultsOf(owner, project.id, twice.id)).toEqual([
      { line: 1, device: 1, field: 'id', text: 'Another device has this already.' },
      { line: 2, device: 2, field: 'id', text: 'Another device has this already.' },
    ]);
    await failing(apply(project.id, twice.id), 'IMPORT_NOT_READY');
  });

  it('names what is wrong, by line and field', async () => {
    const target = await aTarget();
    const taken = await aDevice(owner, project.id);
    const lines = [
      '{"tag":"fine","id":"dev_01k9x3m2h4e6d8b0a2c4e69001"}',
      '{"tag":5}',
      '{"tag":"a\\nb","id":"dev_X"}',
      `{"id":"${anId(11)}","claimCode":"${taken.claimCode}"}`,
      `{"id":"${anId(12)}","claimCode":"ABCDEFGH"}`,
      `{"id":"${anId(12)}","claimCode":"ABCDEFGH"}`,
      `{"id":"${anId(13)}","colour":"red"}`,
      `{"id":"${anId(14)}","deviceClass":"other"}`,
      `{"id":"${anId(15)}","apiKey":"short"}`,
      `{"id":"${anId(16)}","kv":{"a":null}}`,
      `{"id":"${anId(17)}","kv":{"-a":1}}`,
      `{"id":"${anId(18)}","suspended":"true"}`,
      `{"id":"${anId(19)}","channel":"-"}`,
      `{"id":"${anId(20)}","__proto__":{"polluted":1}}`,
      '{"id":',
    ];
    const found = await checkedImport(owner, { ...target, ids: 'keep' }, lines.join('\n'));
    expect(found).toMatchObject({ state: 'checked', lines: 15, good: 2, bad: 13 });
    const faults = await faultsOf(owner, project.id, found.id);
    expect(faults.map(({ line, field }) => [line, field])).toEqual([
      [2, 'tag'],
      [2, 'id'],
      [3, 'tag'],
      [3, 'id'],
      [4, 'claimCode'],
      [6, 'id'],
      [6, 'claimCode'],
      [7, 'colour'],
      [8, 'deviceClass'],
      [9, 'apiKey'],
      [10, 'kv'],
      [11, 'kv'],
      [12, 'suspended'],
      [13, 'channel'],
      [14, '__proto__'],
      [15, undefined],
    ]);
    expect(faults.find(({ line }) => line === 6)?.text).toBe('Device 5 has the same, on line 5.');
    expect(await devicesOf(target)).toEqual([]);
  });

  it('says which device of a file that is all on one line', async () => {
    const target = await aTarget();
    const devices = [{ tag: 'a', claimCode: 'ABCDEF1' }, { tag: 5 }, { claimCode: 'ABCDEF1' }];
    const found = await checkedImport(owner, target, JSON.stringify(devices));
    expect(await faultsOf(owner, project.id, found.id)).toMatchObject([
      { line: 1, device: 2, field: 'tag' },
      { line: 1, device: 3, text: 'Device 1 has the same, on line 1.' },
    ]);
    const cut = await checkedImport(owner, target, '[{"tag":"a"},{"tag":"b","tag":"c"}');
    const faults = await faultsOf(owner, project.id, cut.id);
    expect(faults.map(({ device }) => device)).toEqual([2, undefined]);
  });

  it('reads the semicolons that many spreadsheets write', async () => {
    const target = await aTarget();
    const file = '\ufefftag;name;suspended\r\na;"Hall; left";FALSE\r\nb;Stairs, up;TRUE\r\n';
    expect(await appliedImport(owner, { ...target, format: 'csv' }, file)).toMatchObject({ created: 2 });
    expect((await devicesOf(target)).map(({ tag }) => tag)).toEqual(['a', 'b']);
  });

  it('that keeps ids keeps the times that are in them, and the order by them', async () => {
    const target = await aTarget();
    const [june, may] = ['2024-06-01', '2024-05-01'].map(day => world.platform.newId('dev', new Date(day)));
    const file = JSON.stringify([june, may].map(id => ({ id, tag: id })));
    expect(await appliedImport(owner, { ...target, ids: 'keep' }, file)).toMatchObject({ created: 2 });
    const query = { ...target, sortBy: 'creationTime:asc' };
    const { items } = await owner.client.call(listDevices, { query });
    expect(items.map(({ id, creationTime }) => [id, creationTime.slice(0, 10)])).toEqual([
      [may, '2024-05-01'],
      [june, '2024-06-01'],
    ]);
  });

  it('takes no id of a time to come, where ids are kept', async () => {
    const target = await aTarget();
    const at = (ms: number) => world.platform.newId('dev', new Date(world.now().getTime() + ms));
    const file = JSON.stringify(
      [at(minuteMs), at(10 * minuteMs), `dev_7${'z'.repeat(25)}`].map(id => ({ id })),
    );
    const found = await checkedImport(owner, { ...target, ids: 'keep' }, file);
    expect(found).toMatchObject({ good: 1, bad: 2 });
    const faults = await faultsOf(owner, project.id, found.id);
    expect(faults.map(({ device, field }) => [device, field])).toEqual([
      [2, 'id'],
      [3, 'id'],
    ]);
    expect(faults[0]?.text).toMatch(/^An id carries the time it was made/);
    expect(await checkedImport(owner, target, file)).toMatchObject({ good: 3 });
  });

  it('of CSV names columns that do not exist, and cells that mean nothing', async () => {
    const target = await aTarget();
    const file = '\ufefftag,suspended,kv,colour\r\na,TRUE,"{""a"":1}",\r\nb,maybe,{,red\r\n"x"y\r\n';
    const found = await checkedImport(owner, { ...target, format: 'csv' }, file);
    expect(found).toMatchObject({ lines: 3, good: 1, bad: 2 });
    expect((await faultsOf(owner, project.id, found.id)).map(({ line, field }) => [line, field])).toEqual([
      [3, 'suspended'],
      [3, 'kv'],
      [3, 'colour'],
      [4, undefined],
    ]);
  });

  it('names the first thousand faults and counts the others', async () => {
    const target = await aTarget();
    const found = await checkedImport(owner, target, '{"tag":1}\n'.repeat(1500));
    expect(found).toMatchObject({ lines: 1500, bad: 1500 });
    expect(await faultsOf(owner, project.id, found.id)).toHaveLength(1000);
  });

  it.each<[string, string | Buffer<ArrayBuffer>, RegExp]>([
    ['nothing', '', /no devices/],
    ['an empty list', '[]', /no devices/],
    ['UTF-16', Buffer.from('[{"tag":"ä"}]', 'utf16le'), /UTF-8/],
    ['what is no text', Buffer.from([0xff, 0xfe, 0x00]), /UTF-8/],
    ['too many devices', '{}\n'.repeat(200_001), /200,000/],
  ])('of %s fails as a whole', async (_, file, why) => {
    const target = await aTarget();
    const found = await checkedImport(owner, target, file);
    expect(found).toMatchObject({ state: 'failed', error: expect.stringMatching(why) });
    await failing(apply(project.id, found.id), 'IMPORT_NOT_READY');
  });

  it('needs the keys in the file where the project forgets them', async () => {
    const other = await world.aProject(owner);
    await owner.client.call(editProject, {
      params: { projectId: other.id },
      body: { forgetDeviceKeys: true },
    });
    const target = await aTarget(other);
    const without = await checkedImport(owner, target, '{"tag":"a"}');
    expect(await faultsOf(owner, other.id, without.id)).toMatchObject([{ line: 1, field: 'apiKey' }]);
    expect(await appliedImport(owner, target, `{"tag":"a","apiKey":"${aKey}"}`)).toMatchObject({
      created: 1,
    });
    const kept = await world.platform.db.one(
      sql`select key_sealed from devices where project_id = ${other.id}`,
    );
    expect(kept).toEqual({ key_sealed: null });
  });
});
