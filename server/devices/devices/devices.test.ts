import { describe, expect, it } from 'vitest';
import { createDevice, deleteDevice, editDevice, listDevices, readDevice } from '#contract/device.ts';
import { editProject } from '#contract/project.ts';
import { addMember } from '#contract/team.ts';
import type { DeviceNotice } from '#server/infra/bus/deviceNotices.ts';
import { deviceSubject } from '#server/infra/bus/deviceNotices.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aBundle, someChannels } from '#test/firmware.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';
import { untilWaiting } from '#test/untilWaiting.ts';

const at = aProjectWorld();

const paramsOf = ({ id }: { id: string }) => ({ params: { deviceId: id } });
const read = (device: { id: string }) => at.owner.client.call(readDevice, paramsOf(device));

/** The notices that gateways receive about a device while `work` runs. */
async function noticesOf(deviceId: string, work: () => Promise<unknown>): Promise<DeviceNotice[]> {
  const heard: DeviceNotice[] = [];
  const stop = at.world.platform.bus.subscribe(deviceSubject(deviceId), notice => {
    heard.push(notice as DeviceNotice);
  });
  await work();
  stop();
  return heard;
}

describe('a device', () => {
  it('reads the same as when it was created, except for its key', async () => {
    const { id: deviceClass } = await at.deviceClass();
    await someChannels(at.world, { projectId: at.projectId, deviceClass }, 'beta');
    const { apiKey, ...made } = await at.device({
      deviceClass,
      tag: ' hall-7 ',
      name: 'Hall',
      channel: 'beta',
    });
    expect(apiKey).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(made).toMatchObject({
      projectId: at.projectId,
      tag: 'hall-7',
      name: 'Hall',
      description: '',
      channel: 'beta',
      claimed: false,
      suspended: false,
      connectionStatus: 'never',
      connection: {},
      apiKeyEnd: apiKey.slice(-4),
      apiKeyReadable: true,
      revision: 1,
    });
    expect(made.claimCode).toMatch(/^[2-9A-HJKMNP-Z]{10}$/);
    expect(await read(made)).toEqual(made);
  });

  it('is not created if its class or project does not exist', async () => {
    const body = { projectId: at.projectId, tag: 'hall-7', deviceClass: 'nowhere' };
    await failing(at.owner.client.call(createDevice, { body }), 'DEVICE_CLASS_NOT_FOUND');
    const lost = at.owner.client.call(createDevice, { body: { ...body, projectId: 'prj_none' } });
    await failing(lost, 'PROJECT_NOT_FOUND');
    const none = at.owner.client.call(createDevice, {
      body: { tag: 'hall-7', deviceClass: 'x' } as typeof body,
    });
    await failing(none, 'PROJECT_NOT_DEFINED');
  });

  it('is not created without a tag, empty or absent; an edit can take it away', async () => {
    const made = await at.device({ tag: 'hall-7' });
    const body = { projectId: at.projectId, deviceClass: made.deviceClass };
    for (const tag of [undefined, '', '  ']) {
      const create = at.owner.client.call(createDevice, {
        body: { ...body, tag } as typeof body & { tag: string },
      });
      expect(Object.keys((await failing(create, 'INVALID_FIELDS')).fields ?? {})).toEqual(['tag']);
    }
    expect((await at.owner.client.call(editDevice, { ...paramsOf(made), body: { tag: '' } })).tag).toBe('');
  });

  it('has its key stored only as a hash if the project forgets keys, and otherwise encrypted', async () => {
    const other = await at.world.aProject(at.owner);
    const { id: deviceClass } = await aClass(at.owner, other.id);
    const before = await aDevice(at.owner, other.id, { deviceClass });
    await at.owner.client.call(editProject, {
      params: { projectId: other.id },
      body: { forgetDeviceKeys: true },
    });
    const after = await aDevice(at.owner, other.id, { deviceClass });
    expect([before.apiKeyReadable, after.apiKeyReadable]).toEqual([true, false]);
    expect((await read(before)).apiKeyReadable).toBe(false);
    const rows = await at.world.platform.db.many(sql`
      select d.*, encode(key_hash, 'hex') as hash from devices d where project_id = ${other.id}`);
    expect(rows.map(row => (row as { key_sealed: unknown }).key_sealed)).toEqual([null, null]);
    expect(JSON.stringify(rows)).not.toContain(after.apiKey);
  });

  it('has no readable key if it is created while the project starts to forget keys', async () => {
    const other = await at.world.aProject(at.owner);
    const { id: deviceClass } = await aClass(at.owner, other.id);
    const { db } = at.world.platform;
    let making: Promise<unknown> | undefined;
    let forgetting: Promise<unknown> | undefined;
    await db.tx(async tx => {
      await tx.run(sql`select 1 from device_classes where id = ${deviceClass} for update`);
      making = aDevice(at.owner, other.id, { deviceClass });
      await untilWaiting(at.world, 1);
      const forget = { params: { projectId: other.id }, body: { forgetDeviceKeys: true } };
      forgetting = at.owner.client.call(editProject, forget);
      // The insert started while keys were still stored, so the change of the setting waits for it.
      await untilWaiting(at.world, 2);
    });
    await Promise.all([making, forgetting]);
    const kept = await db.many(
      sql`select id from devices where project_id = ${other.id} and key_sealed is not null`,
    );
    expect(kept).toEqual([]);
  });

  it('cannot follow a channel or run a bundle that its class does not have', async () => {
    const made = await at.device();
    const { projectId, deviceClass } = made;
    const given = { projectId, deviceClass, tag: 'hall-7' };
    const create = (body: object) => at.owner.client.call(createDevice, { body: { ...given, ...body } });
    const edit = (body: object) => at.owner.client.call(editDevice, { ...paramsOf(made), body });
    await failing(create({ channel: 'beta' }), 'CHANNEL_NOT_FOUND');
    await failing(create({ bundleInstalled: 'bnd_none' }), 'BUNDLE_NOT_FOUND');
    await failing(edit({ channel: 'beta' }), 'CHANNEL_NOT_FOUND');
    await failing(edit({ bundlePinned: 'bnd_none' }), 'BUNDLE_NOT_FOUND');
    await someChannels(at.world, made, 'beta');
    const bundle = await aBundle(at.world, made);
    const known = { channel: 'beta', bundleInstalled: bundle.id };
    expect(await create(known)).toMatchObject({ ...known, bundleInstalledName: bundle.name });
    const pinned = { channel: 'beta', bundlePinned: bundle.id, bundlePinnedName: bundle.name };
    expect(await edit({ channel: 'beta', bundlePinned: bundle.id })).toMatchObject(pinned);
    expect(await edit({ bundlePinned: null })).not.toHaveProperty('bundlePinned');
  });

  it('cannot be pinned to a bundle that is deleted at the same time', async () => {
    const made = await at.device();
    const bundle = await aBundle(at.world, made);
    let pinning: Promise<unknown> = Promise.resolve();
    await at.world.platform.db.tx(async db => {
      await db.run(sql`delete from bundles where project_id = ${made.projectId} and id = ${bundle.id}`);
      const body = { bundlePinned: bundle.id };
      pinning = at.owner.client.call(editDevice, { ...paramsOf(made), body });
      await untilWaiting(at.world, 1);
    });
    await failing(pinning, 'BUNDLE_NOT_FOUND');
  });

  it('changes only what is sent', async () => {
    const { apiKey: _, ...made } = await at.device({ name: 'a', description: 'b' });
    const edited = await at.owner.client.call(editDevice, {
      ...paramsOf(made),
      body: { name: 'c' },
      ifMatch: 1,
    });
    expect(edited).toEqual({ ...made, name: 'c', revision: 2 });
    const back = { ...paramsOf(made), body: { channel: 'stable' } };
    expect(await at.owner.client.call(editDevice, back)).toMatchObject({ channel: '', revision: 3 });
    const late = at.owner.client.call(editDevice, { ...paramsOf(made), body: { name: 'd' }, ifMatch: 2 });
    expect((await failing(late, 'STALE')).context).toMatchObject({ current: { name: 'c', revision: 3 } });
  });

  it('can be suspended and resumed: its gateway is notified, and its system log names the developer', async () => {
    const made = await at.device();
    const set = (suspended: boolean) =>
      at.owner.client.call(editDevice, { ...paramsOf(made), body: { suspended } });
    const heard = await noticesOf(made.id, async () => {
      expect((await set(true)).suspended).toBe(true);
      await set(true);
      expect((await set(false)).suspended).toBe(false);
    });
    expect(heard).toEqual([{ kind: 'access' }, { kind: 'access' }]);
    const entries = await at.world.platform.db.many(sql`
      select action, text, actor->>'id' as by from log_entries
      where project_id = ${at.projectId} and stream = 'system' and subject = ${made.id} order by id`);
    const by = at.owner.developer.id;
    expect(entries).toEqual([
      { action: 'suspendDevice', text: 'Suspended', by },
      { action: 'resumeDevice', text: 'Resumed', by },
    ]);
  });

  it('is deleted together with its data', async () => {
    const { db } = at.world.platform;
    const made = await at.device();
    await db.run(sql`insert into device_states (project_id, device_id) values (${at.projectId}, ${made.id})`);
    await db.run(sql`
      insert into quarantine (project_id, device_class, ts, id, device_id, kind, payload, faults)
      values (${at.projectId}, ${made.deviceClass}, now(), 'qrt_1', ${made.id}, 'state', '{}', '[]')`);
    await failing(at.owner.client.call(deleteDevice, { ...paramsOf(made), ifMatch: 9 }), 'STALE');
    const heard = await noticesOf(made.id, () => at.owner.client.call(deleteDevice, paramsOf(made)));
    expect(heard).toEqual([{ kind: 'access' }]);
    await failing(read(made), 'DEVICE_NOT_FOUND');
    await failing(at.owner.client.call(deleteDevice, paramsOf(made)), 'DEVICE_NOT_FOUND');
    const left = await db.many(sql`
      select 1 from device_states where device_id = ${made.id}
      union all select 1 from device_presence where device_id = ${made.id}
      union all select 1 from quarantine where device_id = ${made.id}`);
    expect(left).toEqual([]);
  });

  it('does not have its key or claim code in the audit log', async () => {
    const made = await at.device();
    await at.owner.client.call(editDevice, { ...paramsOf(made), body: { claimCode: 'NEVERSHOWN' } });
    const entries = await auditOf(at.world, at.projectId);
    const about = entries.filter(({ text }) => text.includes(made.id));
    expect(about.map(({ text }) => text)).toEqual([`Device ${made.id} created`, `Device ${made.id} updated`]);
    const text = JSON.stringify(about);
    for (const secret of [made.apiKey, made.claimCode ?? '?', 'NEVERSHOWN'])
      expect(text).not.toContain(secret);
  });

  it('can be read but not changed by a viewer, and does not exist for anyone else', async () => {
    const made = await at.device();
    const [viewer, stranger] = [await at.world.aDeveloper(), await at.world.aDeveloper()];
    const params = { projectId: at.projectId };
    await at.owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await viewer.client.call(readDevice, paramsOf(made));
    const edit = { ...paramsOf(made), body: { name: 'x' } };
    await failing(viewer.client.call(editDevice, edit), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(deleteDevice, paramsOf(made)), 'ROLE_TOO_LOW');
    const body = { projectId: at.projectId, tag: 'hall-7', deviceClass: made.deviceClass };
    await failing(viewer.client.call(createDevice, { body }), 'ROLE_TOO_LOW');
    await failing(stranger.client.call(readDevice, paramsOf(made)), 'DEVICE_NOT_FOUND');
    await failing(stranger.client.call(editDevice, edit), 'DEVICE_NOT_FOUND');
    await failing(stranger.client.call(createDevice, { body }), 'NOT_A_MEMBER');
    await failing(stranger.client.call(listDevices, { query: params }), 'NOT_A_MEMBER');
  });
});
