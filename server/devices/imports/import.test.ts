import { describe, expect, it } from 'vitest';
import { editDevice, listDevices, readDevice } from '#contract/device.ts';
import { editProject } from '#contract/project.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { hashKey } from '#server/devices/keys/keys.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aClass } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { someChannels } from '#test/firmware.ts';
import {
  anId,
  appliedImport,
  apply,
  aTarget,
  checkedImport,
  exported,
  faultsOf,
  importedInto,
  rested,
} from '#test/imports.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';

const at = aProjectWorld();

const aKey = 'k'.repeat(32);

describe('an import', () => {
  it('is checked without writing anything, and then creates the devices', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const file = JSON.stringify([
      { tag: 'a', name: 'A', kv: { rate: 5 } },
      { tag: 'b', suspended: true, apiKey: aKey },
    ]);
    const checked = await checkedImport(at.owner, target, file);
    expect(checked).toMatchObject({ state: 'checked', lines: 2, good: 2, bad: 0, created: 0 });
    expect(checked.uploadUrl).toBeUndefined();
    expect(await importedInto(at.world, target)).toEqual([]);
    expect(await apply(at.owner, at.projectId, checked.id)).toMatchObject({ state: 'applying' });
    expect(await rested(at.owner, at.projectId, checked.id)).toMatchObject({ state: 'done', created: 2 });
    const [a, b] = await importedInto(at.world, target);
    expect([a?.tag, b?.tag]).toEqual(['a', 'b']);
    expect(a?.claimCode).toMatch(/^[2-9A-Z]{10}$/);
    const device = await at.owner.client.call(readDevice, { params: { deviceId: b?.id ?? '' } });
    expect(device).toMatchObject({
      suspended: true,
      apiKeyEnd: 'kkkk',
      apiKeyReadable: true,
      connectionStatus: 'never',
    });
    const kept = await at.world.platform.db.one<{ hash: Buffer }>(
      sql`select key_hash as hash from devices where id = ${b?.id}`,
    );
    expect(kept?.hash.equals(hashKey(aKey))).toBe(true);
    const texts = (await auditOf(at.world, at.projectId)).map(({ text }) => text);
    expect(texts).toContain(`Import of devices of class ${target.deviceClass} created`);
    expect(texts).toContain(`Devices of class ${target.deviceClass} imported`);
    await failing(apply(at.owner, at.projectId, checked.id), 'IMPORT_NOT_READY');
  });

  it.each(['json', 'csv'] as const)(
    'of an export as %s creates the same devices in another project',
    async format => {
      const { id: deviceClass } = await at.deviceClass();
      const other = await at.world.aProject(at.owner);
      await aClass(at.owner, other.id, { id: deviceClass });
      for (const { id } of [{ id: at.projectId }, other])
        await someChannels(at.world, { projectId: id, deviceClass }, 'beta');
      const texts = ['=1+1', "'=1", '@a', '-1', '+1', "'tis", 'a,b', 'a"b', '', '♥', '＝x', 'x'.repeat(100)];
      for (const [i, tag] of texts.entries()) {
        const device = await at.device({
          deviceClass,
          tag,
          name: tag,
          description: `${tag}\r\n"${tag}`,
        });
        const body = { suspended: i % 2 === 0, channel: i % 3 === 0 ? 'beta' : '' };
        await at.owner.client.call(editDevice, { params: { deviceId: device.id }, body });
        await at.world.platform.db.run(sql`
        insert into device_kv (project_id, device_id, key, value, updated_at)
        values (${at.projectId}, ${device.id}, ${`key-${i}`}, ${JSON.stringify({ z: tag, a: [i, { '': null }] })}, now())`);
      }
      const first = await exported(at.world, at.owner, at.projectId, { deviceClass, format });
      const done = await appliedImport(
        at.owner,
        { projectId: other.id, deviceClass, format, ids: 'new' },
        first.text,
      );
      expect(done).toMatchObject({ state: 'done', created: texts.length });
      const again = await exported(at.world, at.owner, other.id, { deviceClass, format });
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

  it('keeps the ids of the file if it is told to', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const file = [1, 2].map(n => JSON.stringify({ id: anId(n), tag: `t${n}` })).join('\n');
    expect(await appliedImport(at.owner, { ...target, ids: 'keep' }, file)).toMatchObject({ state: 'done' });
    expect((await importedInto(at.world, target)).map(({ id }) => id)).toEqual([anId(1), anId(2)]);
    const twice = await checkedImport(at.owner, { ...target, ids: 'keep' }, file);
    expect(twice).toMatchObject({ state: 'checked', good: 0, bad: 2 });
    expect(await faultsOf(at.owner, at.projectId, twice.id)).toEqual([
      { line: 1, device: 1, field: 'id', text: 'Another device already has this value.' },
      { line: 2, device: 2, field: 'id', text: 'Another device already has this value.' },
    ]);
    await failing(apply(at.owner, at.projectId, twice.id), 'IMPORT_NOT_READY');
  });

  it('reports errors by line and field', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const taken = await at.device();
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
      `{"id":"${anId(21)}","channel":"nowhere"}`,
      `{"id":"${anId(22)}","bundleInstalled":"bnd_none"}`,
      '{"id":',
    ];
    const found = await checkedImport(at.owner, { ...target, ids: 'keep' }, lines.join('\n'));
    expect(found).toMatchObject({ state: 'checked', lines: 17, good: 2, bad: 15 });
    const faults = await faultsOf(at.owner, at.projectId, found.id);
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
      [15, 'channel'],
      [16, 'bundleInstalled'],
      [17, undefined],
    ]);
    expect(faults.find(({ line }) => line === 15)?.text).toBe(
      `Class ${target.deviceClass} has no channel nowhere. Create it first.`,
    );
    expect(faults.find(({ line }) => line === 6)?.text).toBe('Device 5 on line 5 has the same value.');
    expect(await importedInto(at.world, target)).toEqual([]);
  });

  it('refuses a pair that could not be stored, instead of dropping it', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const found = await checkedImport(at.owner, target, '{"kv":{"rate":5,"__proto__":{"a":1}}}');
    expect(found).toMatchObject({ good: 0, bad: 1 });
    expect(await faultsOf(at.owner, at.projectId, found.id)).toMatchObject([{ line: 1, field: 'kv' }]);
  });

  it('says which device is wrong if the whole file is on one line', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const devices = [{ tag: 'a', claimCode: 'ABCDEF1' }, { tag: 5 }, { claimCode: 'ABCDEF1' }];
    const found = await checkedImport(at.owner, target, JSON.stringify(devices));
    expect(await faultsOf(at.owner, at.projectId, found.id)).toMatchObject([
      { line: 1, device: 2, field: 'tag' },
      { line: 1, device: 3, text: 'Device 1 on line 1 has the same value.' },
    ]);
    const cut = await checkedImport(at.owner, target, '[{"tag":"a"},{"tag":"b","tag":"c"}');
    const faults = await faultsOf(at.owner, at.projectId, cut.id);
    expect(faults.map(({ device }) => device)).toEqual([2, undefined]);
  });

  it('reads the semicolons that many spreadsheets write', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const file = '\ufefftag;name;suspended\r\na;"Hall; left";FALSE\r\nb;Stairs, up;TRUE\r\n';
    expect(await appliedImport(at.owner, { ...target, format: 'csv' }, file)).toMatchObject({ created: 2 });
    expect((await importedInto(at.world, target)).map(({ tag }) => tag)).toEqual(['a', 'b']);
  });

  it('that keeps ids keeps their creation times, and the order by them', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const [june, may] = ['2024-06-01', '2024-05-01'].map(day =>
      at.world.platform.newId('dev', new Date(day)),
    );
    const file = JSON.stringify([june, may].map(id => ({ id, tag: id })));
    expect(await appliedImport(at.owner, { ...target, ids: 'keep' }, file)).toMatchObject({ created: 2 });
    const query = { ...target, sortBy: 'creationTime:asc' };
    const { items } = await at.owner.client.call(listDevices, { query });
    expect(items.map(({ id, creationTime }) => [id, creationTime.slice(0, 10)])).toEqual([
      [may, '2024-05-01'],
      [june, '2024-06-01'],
    ]);
  });

  it('that keeps ids accepts none from the future', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const idIn = (ms: number) => at.world.platform.newId('dev', new Date(at.world.now().getTime() + ms));
    const file = JSON.stringify(
      [idIn(minuteMs), idIn(10 * minuteMs), `dev_7${'z'.repeat(25)}`].map(id => ({ id })),
    );
    const found = await checkedImport(at.owner, { ...target, ids: 'keep' }, file);
    expect(found).toMatchObject({ good: 1, bad: 2 });
    const faults = await faultsOf(at.owner, at.projectId, found.id);
    expect(faults.map(({ device, field }) => [device, field])).toEqual([
      [2, 'id'],
      [3, 'id'],
    ]);
    expect(faults[0]?.text).toMatch(/^An id contains its creation time/);
    expect(await checkedImport(at.owner, target, file)).toMatchObject({ good: 3 });
  });

  it('of CSV names columns that do not exist, and cells that cannot be converted', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const file = '\ufefftag,suspended,kv,colour\r\na,TRUE,"{""a"":1}",\r\nb,maybe,{,red\r\n"x"y\r\n';
    const found = await checkedImport(at.owner, { ...target, format: 'csv' }, file);
    expect(found).toMatchObject({ lines: 3, good: 1, bad: 2 });
    expect(
      (await faultsOf(at.owner, at.projectId, found.id)).map(({ line, field }) => [line, field]),
    ).toEqual([
      [3, 'suspended'],
      [3, 'kv'],
      [3, 'colour'],
      [4, undefined],
    ]);
  });

  it('lists the first thousand errors and counts the others', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const found = await checkedImport(at.owner, target, '{"tag":1}\n'.repeat(1500));
    expect(found).toMatchObject({ lines: 1500, bad: 1500 });
    expect(await faultsOf(at.owner, at.projectId, found.id)).toHaveLength(1000);
  });

  it.each<[string, string | Buffer<ArrayBuffer>, RegExp]>([
    ['nothing', '', /no devices/],
    ['an empty list', '[]', /no devices/],
    ['UTF-16', Buffer.from('[{"tag":"ä"}]', 'utf16le'), /UTF-8/],
    ['what is no text', Buffer.from([0xff, 0xfe, 0x00]), /UTF-8/],
    ['too many devices', '{}\n'.repeat(200_001), /200,000/],
  ])('of %s fails as a whole', async (_, file, why) => {
    const target = await aTarget(at.owner, at.projectId);
    const found = await checkedImport(at.owner, target, file);
    expect(found).toMatchObject({ state: 'failed', error: expect.stringMatching(why) });
    await failing(apply(at.owner, at.projectId, found.id), 'IMPORT_NOT_READY');
  });

  it('needs the keys in the file if the project does not store them', async () => {
    const other = await at.world.aProject(at.owner);
    await at.owner.client.call(editProject, {
      params: { projectId: other.id },
      body: { forgetDeviceKeys: true },
    });
    const target = await aTarget(at.owner, other.id);
    const without = await checkedImport(at.owner, target, '{"tag":"a"}');
    expect(await faultsOf(at.owner, other.id, without.id)).toMatchObject([{ line: 1, field: 'apiKey' }]);
    expect(await appliedImport(at.owner, target, `{"tag":"a","apiKey":"${aKey}"}`)).toMatchObject({
      created: 1,
    });
    const kept = await at.world.platform.db.one(
      sql`select key_sealed from devices where project_id = ${other.id}`,
    );
    expect(kept).toEqual({ key_sealed: null });
  });
});
