import { describe, expect, it } from 'vitest';
import {
  bundlesMax,
  createBundle,
  deleteBundle,
  editBundle,
  listBundles,
  readBundle,
  readBundleUse,
} from '#contract/bundle.ts';
import { deleteDeviceClass } from '#contract/deviceClass.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { aBundle, aComponent, aReadyVersion, aVersion } from '#test/versions.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();

const call: typeof at.owner.client.call = (endpoint, ...given) => at.owner.client.call(endpoint, ...given);
const ready = (given: Parameters<typeof aReadyVersion>[3] = {}) =>
  aReadyVersion(at.world, at.owner, at.projectId, given);
const bundle = (given: Parameters<typeof aBundle>[3] = {}) =>
  aBundle(at.world, at.owner, at.projectId, given);

describe('a bundle', () => {
  it('is read and listed as it was returned at creation, with its contents', async () => {
    const [app, boot] = [await ready(), await ready()];
    const { id: deviceClass } = await at.deviceClass();
    const made = await bundle({ deviceClass, componentVersionIds: [app.id, boot.id], description: 'Both' });
    const contained = [app, boot].map(({ componentId, componentName, id, name, sizeBytes }) => ({
      componentId,
      componentName,
      versionId: id,
      versionName: name,
      sizeBytes,
    }));
    expect(made).toMatchObject({
      deviceClass,
      description: 'Both',
      channelCount: 0,
      deviceCount: 0,
      pinnedCount: 0,
      revision: 1,
      components: contained.toSorted((a, b) => (a.componentName < b.componentName ? -1 : 1)),
      createdBy: { id: at.owner.developer.id },
    });
    expect(await call(readBundle, { params: { bundleId: made.id } })).toEqual(made);
    const query = { projectId: at.projectId, deviceClass };
    await bundle();
    expect(await call(listBundles, { query })).toMatchObject({ items: [made], total: 1 });
  });

  it('is refused if devices could not run it, with the cause', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const one = await ready();
    const empty = await aVersion(at.owner, at.projectId);
    const second = await ready({ componentId: one.componentId });
    const other = await at.world.aProject(at.owner);
    const foreign = await aReadyVersion(at.world, at.owner, other.id);
    const none = await failing(bundle({ deviceClass: 'no-such' }), 'DEVICE_CLASS_NOT_FOUND');
    expect(none.fields).toEqual({ deviceClass: 'DEVICE_CLASS_NOT_FOUND' });
    const refused = async (ids: string[], reason: Parameters<typeof failing>[1]) =>
      (await failing(bundle({ deviceClass, componentVersionIds: ids }), reason)).context;
    const context = (id: string) => ({ versionIds: [id] });
    expect(await refused([one.id, foreign.id], 'COMPONENT_VERSION_NOT_FOUND')).toEqual(context(foreign.id));
    expect(await refused([one.id, empty.id], 'VERSION_NOT_READY')).toEqual(context(empty.id));
    await refused([one.id, second.id], 'COMPONENT_TWICE');
    await refused([one.id, one.id], 'COMPONENT_TWICE');
    await refused([], 'INVALID_FIELDS');
  });

  it('can be renamed unless its class has that name, and keeps its contents', async () => {
    const made = await bundle();
    const params = { bundleId: made.id };
    const twin = await bundle({ name: made.name });
    const { deviceClass } = made;
    await failing(bundle({ name: made.name, deviceClass }), 'NAME_TAKEN');
    const edited = await call(editBundle, { params, body: { name: 'Summer' }, ifMatch: 1 });
    expect(edited).toEqual({ ...made, name: 'Summer', revision: 2 });
    await failing(call(editBundle, { params, body: { name: 'Autumn' }, ifMatch: 1 }), 'STALE');
    const next = await bundle({ deviceClass });
    await failing(
      call(editBundle, { params: { bundleId: next.id }, body: { name: 'Summer' } }),
      'NAME_TAKEN',
    );
    expect(twin.name).toBe(made.name);
  });

  it('is deleted unless something uses it, which the error names', async () => {
    const { db } = at.world.platform;
    const { id: deviceClass } = await at.deviceClass();
    const made = await bundle({ deviceClass });
    const params = { bundleId: made.id };
    const device = await at.device({ deviceClass });
    const channelId = unique('chn');
    await db.run(sql`
      insert into channels (project_id, id, device_class, name, bundle_id, created_at)
      values (${at.projectId}, ${channelId}, ${deviceClass}, 'stable', ${made.id}, now())`);
    await db.run(sql`
      update devices set bundle_installed = ${made.id}, bundle_pinned = ${made.id} where id = ${device.id}`);
    const use = {
      channels: [{ id: channelId, name: 'stable' }],
      rollouts: [],
      deviceCount: 1,
      pinnedCount: 1,
      updatingCount: 0,
      failures: [],
    };
    expect(await call(readBundleUse, { params })).toEqual(use);
    const refused = await failing(call(deleteBundle, { params }), 'DEPENDENCY_RESTRICTION');
    expect(refused.context).toEqual(use);
    const counted = await call(readBundle, { params });
    expect(counted).toMatchObject({ channelCount: 1, deviceCount: 1, pinnedCount: 1 });
    await db.run(sql`update channels set bundle_id = null where id = ${channelId}`);
    await db.run(sql`
      update devices set bundle_installed = null, bundle_pinned = null where id = ${device.id}`);
    await call(deleteBundle, { params });
    await failing(call(readBundle, { params }), 'BUNDLE_NOT_FOUND');
  });

  it('prevents the deletion of its class, even if it is created concurrently', async () => {
    for (let round = 0; round < 8; round++) {
      const { id: deviceClass } = await at.deviceClass();
      const { id } = await ready();
      const body = { projectId: at.projectId, deviceClass, name: 'race', componentVersionIds: [id] };
      const named = { params: { classId: deviceClass }, query: { projectId: at.projectId } };
      const work = [() => call(createBundle, { body }), () => call(deleteDeviceClass, named)];
      const { answers, reasons } = await atOnce(2, async number => work[number]?.());
      expect([answers.length, reasons.length]).toEqual([1, 1]);
      expect(['DEPENDENCY_RESTRICTION', 'DEVICE_CLASS_NOT_FOUND']).toContain(reasons[0]);
    }
  });

  it('is limited in number for each project', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    const first = await aBundle(at.world, at.owner, projectId);
    const { db } = at.world.platform;
    await db.run(sql`
      insert into bundles (project_id, id, device_class, name, created_at)
      select ${projectId}, ${unique('bnd')} || n, ${first.deviceClass}, 'bundle ' || n, now()
      from generate_series(3, ${bundlesMax}::int) n`);
    await aComponent(at.owner, projectId);
    const { answers, reasons } = await atOnce(3, () => aBundle(at.world, at.owner, projectId));
    expect(answers).toHaveLength(1);
    expect(reasons).toEqual(['TOO_MANY_BUNDLES', 'TOO_MANY_BUNDLES']);
  });
});
