import { describe, expect, it } from 'vitest';
import {
  deleteDeviceClass,
  deleteKvPair,
  editDeviceClass,
  listKvPairs,
  readKvPair,
  writeKvPair,
} from '#contract/deviceClass.ts';
import { deleteDeviceKvPair, listDeviceConfig, writeDeviceKvPair } from '#contract/deviceState.ts';
import { addMember } from '#contract/team.ts';
import { classSubject, deviceSubject } from '#server/infra/bus/deviceNotices.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';

const at = aProjectWorld();

type Value = Parameters<typeof write>[2];
const pair = (classId: string, pairKey: string) => ({
  params: { classId, pairKey },
  query: { projectId: at.projectId },
});
const write = (
  classId: string,
  pairKey: string,
  value: string | number | boolean | null | object,
  more: { create?: boolean; ifMatch?: number } = {},
) => {
  const { ifMatch, ...rest } = more;
  const body = { value: value as never, ...rest };
  return at.owner.client.call(writeKvPair, {
    ...pair(classId, pairKey),
    body,
    ...(ifMatch !== undefined && { ifMatch }),
  });
};
const read = (classId: string, pairKey: string) => at.owner.client.call(readKvPair, pair(classId, pairKey));
const keysOf = async (classId: string, query = {}) => {
  const page = await at.owner.client.call(listKvPairs, {
    params: { classId },
    query: { projectId: at.projectId, ...query },
  });
  return [page.items.map(({ key }) => key), page.total];
};

describe('a key-value pair of a class', () => {
  it('is read as it was written, with its members in order', async () => {
    const { id } = await at.deviceClass();
    const value = { zone: 'b', a: [1.5, { y: null, x: true }], ä: 'ö' };
    const pair = await write(id, 'wifi:main', value);
    expect(pair).toMatchObject({ key: 'wifi:main', value, revision: 1 });
    const again = await read(id, 'wifi:main');
    expect(JSON.stringify(again.value)).toBe(JSON.stringify(value));
    expect(again).toEqual(pair);
    expect(await write(id, 'wifi:main', 'x')).toMatchObject({ value: 'x', revision: 2 });
  });

  it.each<[string, Value]>([
    ['false', false],
    ['zero', 0],
    ['an empty text', ''],
    ['an empty list', []],
  ])('may be %s', async (_what, value) => {
    const { id } = await at.deviceClass();
    expect((await write(id, 'k', value)).value).toEqual(value);
  });

  it.each(['a b', '-a', 'a-', 'ä', 'a/b', 'x'.repeat(129), 'x'.repeat(300)])(
    'with the key %s is refused',
    async key => {
      const { id } = await at.deviceClass();
      await failing(write(id, key, 1), 'INVALID_KEY');
      await failing(read(id, key), 'INVALID_KEY');
      await failing(at.owner.client.call(deleteKvPair, pair(id, key)), 'INVALID_KEY');
    },
  );

  it('that is null, larger than 64 KiB, or too large together with the others is refused', async () => {
    const { id } = await at.deviceClass();
    await failing(write(id, 'k', null), 'NULL_VALUE');
    await write(id, 'k', 'x'.repeat(64 * 1024 - 2));
    await failing(write(id, 'k', 'x'.repeat(64 * 1024 - 1)), 'TOO_LARGE');
    await failing(write(id, 'k', 'ä'.repeat(33_000)), 'TOO_LARGE');
    for (let i = 0; i < 15; i++) await write(id, `k${i}`, 'x'.repeat(64 * 1024 - 2));
    await failing(write(id, 'last', 'xxx'), 'TOO_LARGE');
  });

  it('is one of at most a thousand', async () => {
    const { id } = await at.deviceClass();
    await at.world.platform.db.run(sql`
      insert into device_class_kv (project_id, device_class, key, value, updated_at)
      select ${at.projectId}, ${id}, 'n' || n, '1', now() from generate_series(1, 1000) n`);
    await failing(write(id, 'last', 1), 'TOO_MANY_PAIRS');
    await write(id, 'n7', 2);
  });

  it('with create is refused if the key is taken, even if concurrent calls ask for it', async () => {
    const { id } = await at.deviceClass();
    const { answers, reasons } = await atOnce(8, i => write(id, 'k', i, { create: true }));
    expect([answers.length, new Set(reasons)]).toEqual([1, new Set(['KEY_TAKEN'])]);
    expect((await read(id, 'k')).value).toBe(answers[0]?.value);
  });

  it('can be overwritten by only one of several callers that saw the same revision', async () => {
    const { id } = await at.deviceClass();
    // The revision of the class is independent of it.
    await at.owner.client.call(editDeviceClass, { ...pair(id, ''), body: { description: 'x' } });
    await write(id, 'k', 'first');
    const { answers, reasons } = await atOnce(8, i => write(id, 'k', i, { ifMatch: 1 }));
    expect([answers.length, new Set(reasons)]).toEqual([1, new Set(['STALE'])]);
    expect(await read(id, 'k')).toMatchObject({ value: answers[0]?.value, revision: 2 });
    await failing(at.owner.client.call(deleteKvPair, { ...pair(id, 'k'), ifMatch: 1 }), 'STALE');
    await failing(write(id, 'new', 1, { ifMatch: 1 }), 'STALE');
  });

  it('is gone once it is deleted', async () => {
    const { id } = await at.deviceClass();
    await write(id, 'k', 1);
    await at.owner.client.call(deleteKvPair, { ...pair(id, 'k'), ifMatch: 1 });
    await failing(read(id, 'k'), 'KV_PAIR_NOT_FOUND');
    await failing(at.owner.client.call(deleteKvPair, pair(id, 'k')), 'KV_PAIR_NOT_FOUND');
  });

  it('is listed by key, searched literally, in pages', async () => {
    const { id } = await at.deviceClass();
    for (const key of ['b', 'a_1', 'a-1', 'C']) await write(id, key, key);
    expect(await keysOf(id)).toEqual([['a-1', 'a_1', 'b', 'C'], 4]);
    expect(await keysOf(id, { search: '_' })).toEqual([['a_1'], 1]);
    expect(await keysOf(id, { search: 'c' })).toEqual([['C'], 1]);
    expect(await keysOf(id, { limit: 2, skip: 1, sortBy: 'key:desc' })).toEqual([['b', 'a_1'], 4]);
  });

  it('notifies the devices of its class if it was saved, and not otherwise', async () => {
    const { id } = await at.deviceClass();
    const heard: unknown[] = [];
    const stop = at.world.platform.bus.subscribe(classSubject(at.projectId, id), notice =>
      heard.push(notice),
    );
    await write(id, 'k', 1);
    await failing(write(id, 'k', 1, { create: true }), 'KEY_TAKEN');
    await at.owner.client.call(deleteKvPair, pair(id, 'k'));
    stop();
    expect(heard).toEqual([{ kind: 'config' }, { kind: 'config' }]);
  });

  it('is in the audit log with its old and new value', async () => {
    const { id } = await at.deviceClass();
    await write(id, 'report-every-s', 60);
    await write(id, 'report-every-s', 30);
    const entries = (await auditOf(at.world, at.projectId)).filter(({ action }) => action === 'writeKvPair');
    const last = entries.at(-1);
    expect(last?.text).toBe(`Key report-every-s of device class ${id} written`);
    expect(last?.detail).toMatchObject({ before: { value: 60 }, after: { value: 30 } });
  });

  it('is readable, but not writable, for a viewer, and is deleted with its class', async () => {
    const { id } = await at.deviceClass();
    await write(id, 'k', 1);
    const [viewer, stranger] = [await at.world.aDeveloper(), await at.world.aDeveloper()];
    const params = { projectId: at.projectId };
    await at.owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await viewer.client.call(readKvPair, pair(id, 'k'));
    await failing(viewer.client.call(writeKvPair, { ...pair(id, 'k'), body: { value: 2 } }), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(deleteKvPair, pair(id, 'k')), 'ROLE_TOO_LOW');
    await failing(stranger.client.call(readKvPair, pair(id, 'k')), 'DEVICE_CLASS_NOT_FOUND');
    await at.owner.client.call(deleteDeviceClass, pair(id, ''));
    await failing(read(id, 'k'), 'DEVICE_CLASS_NOT_FOUND');
  });
});

describe('a key-value pair of a device', () => {
  it('overrides that of its class until it is deleted', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const { id: deviceId } = await at.device({ deviceClass });
    await write(deviceClass, 'a', 'of the class');
    await write(deviceClass, 'b', 'of the class');
    const heard: unknown[] = [];
    const stop = at.world.platform.bus.subscribe(deviceSubject(deviceId), notice => heard.push(notice));
    const params = { deviceId, pairKey: 'b' };
    const pair = await at.owner.client.call(writeDeviceKvPair, { params, body: { value: 'its own' } });
    const config = () => at.owner.client.call(listDeviceConfig, { params: { deviceId } });
    expect(await config()).toEqual([
      { ...(await read(deviceClass, 'a')), from: 'class' },
      { ...pair, from: 'device' },
    ]);
    const stale = at.owner.client.call(deleteDeviceKvPair, { params, ifMatch: 9 });
    await failing(stale, 'STALE');
    await at.owner.client.call(deleteDeviceKvPair, { params, ifMatch: 1 });
    expect((await config()).map(({ key, from }) => [key, from])).toEqual([
      ['a', 'class'],
      ['b', 'class'],
    ]);
    stop();
    expect(heard).toEqual([{ kind: 'config' }, { kind: 'config' }]);
    await failing(at.owner.client.call(deleteDeviceKvPair, { params }), 'KV_PAIR_NOT_FOUND');
  });

  it('follows the same rules', async () => {
    const { id: deviceId } = await at.device();
    const put = (pairKey: string, value: Value, ifMatch?: number) =>
      at.owner.client.call(writeDeviceKvPair, {
        params: { deviceId, pairKey },
        body: { value: value as never },
        ...(ifMatch && { ifMatch }),
      });
    await failing(put('-', 1), 'INVALID_KEY');
    await failing(put('k', null), 'NULL_VALUE');
    await failing(put('k', 'x'.repeat(65_536)), 'TOO_LARGE');
    await put('k', 1);
    await failing(put('k', 1, 2), 'STALE');
    await at.world.platform.db.run(sql`
      insert into device_kv (project_id, device_id, key, value, updated_at)
      select ${at.projectId}, ${deviceId}, 'n' || n, '1', now() from generate_series(1, 999) n`);
    await failing(put('last', 1), 'TOO_MANY_PAIRS');
  });
});
