import { describe, expect, it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import { exportChosenDevices, exportDevices, idsMax } from '#contract/deviceBulk.ts';
import { editProject } from '#contract/project.ts';
import { addMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aDevice, manyDevices } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aBundle, someChannels } from '#test/firmware.ts';
import { exported } from '#test/imports.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';

const at = aProjectWorld();

const get = (query: Record<string, string>, projectId = at.projectId) =>
  exported(at.world, at.owner, projectId, query);

describe('an export', () => {
  it('has every device of the class with its key, and is named after the class', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const target = { projectId: at.projectId, deviceClass };
    await someChannels(at.world, target, 'beta');
    await aBundle(at.world, target, {}, { id: 'bnd_1' });
    const device = await at.device({
      deviceClass,
      tag: '=1+1',
      name: 'Kü"che, 1',
      description: 'a\nb',
      channel: 'beta',
      bundleInstalled: 'bnd_1',
    });
    await at.device();
    await at.world.platform.db.run(sql`
      insert into device_kv (project_id, device_id, key, value, updated_at)
      values (${at.projectId}, ${device.id}, 'rate', '{"b": 1, "a": [2]}', now())`);
    const { headers, text } = await get({ deviceClass });
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${deviceClass}.json"`);
    expect(headers.get('content-type')).toMatch('application/json');
    const { claimCode, apiKey } = device;
    expect(JSON.parse(text)).toEqual([
      {
        id: device.id,
        tag: '=1+1',
        name: 'Kü"che, 1',
        description: 'a\nb',
        deviceClass,
        channel: 'beta',
        bundleInstalled: 'bnd_1',
        claimCode,
        suspended: false,
        apiKey,
        kv: { rate: { b: 1, a: [2] } },
      },
    ]);
    const csv = await get({ deviceClass, format: 'csv' });
    expect(csv.headers.get('content-disposition')).toMatch(`${deviceClass}.csv`);
    expect(csv.text).toBe(
      `id,tag,name,description,deviceClass,channel,bundleInstalled,claimCode,suspended,apiKey,kv\r\n` +
        `${device.id},"'=1+1","Kü""che, 1","a\nb",${deviceClass},beta,bnd_1,${claimCode},false,${apiKey},"{""rate"":{""b"":1,""a"":[2]}}"\r\n`,
    );
  });

  it('has one device per line, each exactly once, however many there are', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const ids = await manyDevices(at.world, at.projectId, deviceClass, 2500);
    const lines = (await get({ deviceClass })).text.split('\n');
    expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(['[', ']', '']);
    expect(lines.slice(1, -2).map(line => JSON.parse(line.replace(/,$/, '')).id)).toEqual(ids);
    expect((await get({ deviceClass, format: 'csv' })).text.trim().split('\r\n')).toHaveLength(2501);
  });

  it('of no devices is an empty list, or only the column names', async () => {
    const { id: deviceClass } = await at.deviceClass();
    expect((await get({ deviceClass })).text).toBe('[]\n');
    expect((await get({ deviceClass, format: 'csv' })).text).toMatch(/^id,tag[\w,]*\r\n$/);
  });

  it('takes the filters of the list, or the ids of selected devices', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const ids = await manyDevices(at.world, at.projectId, deviceClass, 12);
    const [first = '', second = '', third = ''] = ids;
    await at.owner.client.call(editDevice, { params: { deviceId: second }, body: { suspended: true } });
    const found = async (query: Record<string, string>) =>
      (JSON.parse((await get({ deviceClass, ...query })).text) as { id: string }[]).map(({ id }) => id);
    expect(await found({ suspended: 'true' })).toEqual([second]);
    expect(await found({ search: 'TAG 12' })).toEqual([ids[11]]);
    const chosen = async (ids: string[], format: 'json' | 'csv' = 'json') => {
      const params = { projectId: at.projectId };
      return (
        await at.owner.client.call(exportChosenDevices, { params, body: { deviceClass, ids, format } })
      ).text();
    };
    const idsIn = (text: string) => (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
    expect(idsIn(await chosen([third, first, 'dev_none']))).toEqual([first, third]);
    expect((await chosen([second], 'csv')).split('\r\n')[1]).toMatch(second);
    expect(await found({ connectionStatus: 'connected' })).toEqual([]);
  });

  it('is written to the audit log', async () => {
    const { id: deviceClass } = await at.deviceClass();
    await get({ deviceClass });
    const entry = (await auditOf(at.world, at.projectId)).at(-1);
    expect(entry).toMatchObject({
      action: 'exportDevices',
      text: `Devices of class ${deviceClass} exported`,
    });
    expect(entry?.actor.id).toBe(at.owner.developer.id);
  });

  it('of selected devices is in the audit log with their ids, but without their content', async () => {
    const device = await at.device();
    const { id, deviceClass } = device;
    const params = { projectId: at.projectId };
    const body = { deviceClass, ids: [id], format: 'json' as const };
    const idempotencyKey = 'once';
    for (let i = 0; i < 2; i++) {
      const file = await at.owner.client.call(exportChosenDevices, { params, body, idempotencyKey });
      expect(await file.text()).toContain(device.apiKey);
    }
    const entry = (await auditOf(at.world, at.projectId)).at(-1);
    expect(entry).toMatchObject({
      action: 'exportChosenDevices',
      text: `Devices of class ${deviceClass} exported`,
    });
    expect(entry?.detail?.after).toEqual(body);
    await failing(
      at.owner.client.call(exportChosenDevices, { params, body: { ...body, deviceClass: 'none' } }),
      'DEVICE_CLASS_NOT_FOUND',
    );
  });

  it('takes as many devices as the other bulk calls', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const ids = await manyDevices(at.world, at.projectId, deviceClass, idsMax + 1);
    const call = (ids: string[]) =>
      at.owner.client.call(exportChosenDevices, {
        params: { projectId: at.projectId },
        body: { deviceClass, ids, format: 'csv' },
      });
    const file = await call(ids.slice(1));
    expect((await file.text()).trim().split('\r\n')).toHaveLength(idsMax + 1);
    await failing(call(ids), 'INVALID_FIELDS');
    await failing(call([]), 'INVALID_FIELDS');
  });

  it('has no keys if the project does not store them', async () => {
    const other = await at.world.aProject(at.owner);
    const device = await aDevice(at.owner, other.id);
    await at.owner.client.call(editProject, {
      params: { projectId: other.id },
      body: { forgetDeviceKeys: true },
    });
    const { text } = await get({ deviceClass: device.deviceClass }, other.id);
    expect(JSON.parse(text)[0]).not.toHaveProperty('apiKey');
    expect(text).not.toContain(device.apiKey);
    expect((await get({ deviceClass: device.deviceClass, format: 'csv' }, other.id)).text).not.toMatch(
      'apiKey',
    );
  });

  it('is refused without a class, with an unknown class, and in an unknown format', async () => {
    expect((await get({})).problem.reason).toBe('INVALID_FIELDS');
    expect((await get({ deviceClass: 'none' })).problem.reason).toBe('DEVICE_CLASS_NOT_FOUND');
    expect((await get({ deviceClass: 'none', format: 'xml' })).problem.reason).toBe('INVALID_FIELDS');
  });

  it('is only for developers of the project', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const viewer = await at.world.aDeveloper();
    const params = { projectId: at.projectId };
    const query = { deviceClass, format: 'json' } as const;
    await failing(viewer.client.call(exportDevices, { params, query }), 'NOT_A_MEMBER');
    await at.owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await failing(viewer.client.call(exportDevices, { params, query }), 'ROLE_TOO_LOW');
  });
});
