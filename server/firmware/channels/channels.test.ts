import { describe, expect, it } from 'vitest';
import {
  type ChannelImpact,
  channelsMax,
  createChannel,
  deleteChannel,
  editChannel,
  listChannels,
  readChannel,
  readChannelImpact,
} from '#contract/channel.ts';
import { editDevice } from '#contract/device.ts';
import { deleteDeviceClass, writeKvPair } from '#contract/deviceClass.ts';
import { writeDeviceKvPair } from '#contract/deviceState.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aClass } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aBundle } from '#test/firmware.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

const create = (deviceClass: string, more: { name?: string; bundleId?: string } = {}) =>
  at.owner.client.call(createChannel, { body: { projectId: at.projectId, deviceClass, ...more } });
const target = (deviceClass: string) => ({ projectId: at.projectId, deviceClass });

describe('a channel', () => {
  it('is named stable by default, and counts its devices', async () => {
    const { deviceClass } = await at.device();
    const beta = await create(deviceClass, { name: 'beta' });
    const stable = await create(deviceClass);
    expect(stable).toMatchObject({ name: 'stable', deviceCount: 1, revision: 1 });
    await failing(create(deviceClass, { name: 'stable' }), 'NAME_TAKEN');
    await failing(create('nowhere'), 'DEVICE_CLASS_NOT_FOUND');
    await failing(create(deviceClass, { name: 'x', bundleId: 'bnd_none' }), 'BUNDLE_NOT_FOUND');
    const query = { projectId: at.projectId, deviceClass };
    expect((await at.owner.client.call(listChannels, { query })).items).toEqual([beta, stable]);
  });

  it('is refused beyond five hundred in a project', async () => {
    const project = await at.world.aProject(at.owner);
    const { id: deviceClass } = await aClass(at.owner, project.id);
    await at.world.platform.db.run(sql`
      insert into channels (project_id, id, device_class, name, created_at)
      select ${project.id}, 'chn_' || n, ${deviceClass}, 'c' || n, now() from generate_series(1, ${channelsMax}) n`);
    const body = { projectId: project.id, deviceClass };
    await failing(at.owner.client.call(createChannel, { body }), 'TOO_MANY_CHANNELS');
  });

  it('can point only at bundles of its class, and says since when', async () => {
    const [{ id: one }, { id: other }] = [await at.deviceClass(), await at.deviceClass()];
    const channel = await create(one);
    const params = { channelId: channel.id };
    const [own, theirs] = [await aBundle(at.world, target(one)), await aBundle(at.world, target(other))];
    const edit = (bundleId: string | null) =>
      at.owner.client.call(editChannel, { params, body: { bundleId } });
    await failing(edit(theirs.id), 'BUNDLE_NOT_FOUND');
    const pointed = { bundleId: own.id, bundleName: own.name, bundleSince: expect.any(String) };
    expect(await edit(own.id)).toMatchObject(pointed);
    expect(await edit(null)).not.toHaveProperty('bundleSince');
  });

  it('with a running rollout can be pointed elsewhere only by ending that rollout', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const [first, second] = [
      await aBundle(at.world, target(deviceClass)),
      await aBundle(at.world, target(deviceClass)),
    ];
    const channel = await create(deviceClass, { bundleId: first.id });
    await at.world.platform.db.run(sql`
      insert into rollouts (project_id, id, device_class, channel_id, bundle_id, state, steps, soak_s, failure_percent, gates,
        created_at)
      values (${at.projectId}, 'rol_edit', ${deviceClass}, ${channel.id}, ${second.id}, 'running', '[]', 0, 5, '{}', now())`);
    const params = { channelId: channel.id };
    const edit = (body: object) => at.owner.client.call(editChannel, { params, body });
    const refused = await failing(edit({ bundleId: second.id }), 'ROLLOUT_RUNNING');
    expect(refused.context).toEqual({ rolloutId: 'rol_edit' });
    await failing(at.owner.client.call(deleteChannel, { params }), 'ROLLOUT_RUNNING');
    expect(await edit({ bundleId: second.id, endRollout: true })).not.toHaveProperty('rolloutId');
  });

  it('cannot be deleted while devices follow it, and neither can its class', async () => {
    const device = await at.device();
    const { deviceClass } = device;
    const channels = [await create(deviceClass), await create(deviceClass, { name: 'beta' })];
    for (const channel of channels) {
      const params = { channelId: channel.id };
      await at.owner.client.call(editDevice, {
        params: { deviceId: device.id },
        body: { channel: channel.name },
      });
      const { context } = await failing(
        at.owner.client.call(deleteChannel, { params }),
        'DEPENDENCY_RESTRICTION',
      );
      expect(context).toEqual({ deviceCount: 1, devices: [{ id: device.id, tag: device.tag, name: '' }] });
    }
    const stable = { params: { channelId: channels[0]?.id ?? '' } };
    await at.owner.client.call(deleteChannel, stable);
    await failing(at.owner.client.call(readChannel, stable), 'CHANNEL_NOT_FOUND');
    const empty = await at.deviceClass();
    await create(empty.id);
    const query = { projectId: at.projectId };
    const gone = at.owner.client.call(deleteDeviceClass, { params: { classId: empty.id }, query });
    await failing(gone, 'DEPENDENCY_RESTRICTION');
  });
});

describe('the impact of pointing a channel at a bundle', () => {
  it('is counted without changing anything', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const of = target(deviceClass);
    const old = await aBundle(at.world, of, { main: '1.0', radio: '1.0' });
    const next = await aBundle(at.world, of, { main: '1.1', radio: '1.0' });
    const late = await aBundle(at.world, of, { main: '2.0', radio: '1.0' }, { securityVersion: 3 });
    const channel = await create(deviceClass, { bundleId: old.id });
    const [, , , pinned, suspended] = [
      await at.device({ deviceClass }),
      await at.device({ deviceClass, bundleInstalled: next.id }),
      await at.device({ deviceClass, bundleInstalled: late.id }),
      await at.device({ deviceClass, bundleInstalled: old.id }),
      await at.device({ deviceClass, bundleInstalled: old.id }),
      await at.device({ deviceClass, bundleInstalled: old.id }),
    ];
    const edit = (deviceId = '', body: object = {}) =>
      at.owner.client.call(editDevice, { params: { deviceId }, body });
    await edit(pinned?.id, { bundlePinned: old.id });
    await edit(suspended?.id, { suspended: true });
    const impact = await impactOn(channel.id, next.id);
    expect(impact).toMatchObject({
      total: 6,
      up: 2,
      unchanged: 1,
      down: 1,
      notReached: 2,
      pinned: 1,
      suspended: 1,
      offline: 3,
      awayFor30Days: 0,
      refusesDowngrade: 1,
      components: [
        { componentName: 'main', from: '1.0', to: '1.1', sizeBytes: 1000, devices: 3 },
        { componentName: 'radio', from: '1.0', to: '1.0', sizeBytes: 1000, devices: 1 },
      ],
      config: { checked: 0, complete: true, violating: 0, examples: [] },
    });
    expect(impact.from.map(({ bundleName, count }) => [bundleName, count])).toEqual([
      [old.name, 3],
      ...[late.name, next.name, undefined].map(name => [name, 1]).toSorted(byFrom(impact)),
    ]);
    await failing(impactOn(channel.id, 'bnd_none'), 'BUNDLE_NOT_FOUND');
  });

  it('names devices whose config does not match the schemas of the bundle', async () => {
    const { id: deviceClass } = await at.deviceClass();
    const bundle = await aBundle(at.world, target(deviceClass), { screen: '1.0' });
    await at.world.platform.db.run(sql`
      update component_versions set device_config_schema = '{"properties":{"rate":{"type":"integer"}},"required":["rate"]}'
      where project_id = ${at.projectId} and id in (
        select version_id from bundle_components where bundle_id = ${bundle.id})`);
    const channel = await create(deviceClass);
    const [fine, odd] = [await at.device({ deviceClass }), await at.device({ deviceClass })];
    const query = { projectId: at.projectId };
    const params = { classId: deviceClass, pairKey: 'rate' };
    expect((await impactOn(channel.id, bundle.id)).config).toMatchObject({ checked: 2, violating: 2 });
    await at.owner.client.call(writeKvPair, { params, query, body: { value: 5 } });
    const own = { deviceId: odd.id, pairKey: 'rate' };
    await at.owner.client.call(writeDeviceKvPair, { params: own, body: { value: 'often' } });
    expect(fine.id).not.toBe(odd.id);
    expect((await impactOn(channel.id, bundle.id)).config).toEqual({
      checked: 2,
      complete: true,
      violating: 1,
      examples: [{ deviceId: odd.id, tag: odd.tag, text: expect.stringContaining('rate') }],
    });
  });
});

function impactOn(channelId: string, bundleId: string): Promise<ChannelImpact> {
  return at.owner.client.call(readChannelImpact, { params: { channelId }, query: { bundleId } });
}

/** Bundles with equal numbers of devices are in id order. */
function byFrom({ from }: ChannelImpact) {
  const place = (name: unknown) => from.findIndex(({ bundleName }) => bundleName === name);
  return (a: unknown[], b: unknown[]) => place(a[0]) - place(b[0]);
}
