import { expect, it } from 'vitest';
import { deleteDevice } from '#contract/device.ts';
import { listClassFirmware } from '#contract/stats.ts';
import { recordInstalled } from '#server/devices/devices/recordInstalled.ts';
import { atOnce } from '#test/atOnce.ts';
import { aClass, manyDevices } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aBundle } from '#test/firmware.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();

it('the bundles of a class are counted exactly during updates and deletions of devices', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const { id: deviceClass } = await aClass(owner, projectId);
  const { id: silent } = await aClass(owner, projectId);
  await manyDevices(world, projectId, silent, 2);
  const ids = await manyDevices(world, projectId, deviceClass, 40);
  const [autumn, winter] = [
    await aBundle(world, { projectId, deviceClass }),
    await aBundle(world, { projectId, deviceClass }),
  ];
  const firmware = () => owner.client.call(listClassFirmware, { params: { projectId } });
  const report = (devices: readonly string[], bundleId: string | undefined) =>
    recordInstalled(
      world.platform.db,
      devices.map(deviceId => ({ projectId, deviceId, bundleId })),
    );
  expect(await firmware()).toEqual([]);

  await report(ids.slice(0, 30), autumn.id);
  await atOnce(8, number => report(ids.slice(number * 3, number * 3 + 3), winter.id));
  expect(await firmware()).toEqual([
    {
      deviceClass,
      devices: 30,
      bundles: [
        { ...winter, devices: 24 },
        { ...autumn, devices: 6 },
      ],
    },
  ]);

  await report(ids.slice(0, 4), undefined);
  const gone = ids.slice(4, 7).map(deviceId => owner.client.call(deleteDevice, { params: { deviceId } }));
  await Promise.all(gone);
  await report(ids.slice(24, 30), winter.id);
  expect(await firmware()).toEqual([{ deviceClass, devices: 23, bundles: [{ ...winter, devices: 23 }] }]);

  const stranger = await world.aDeveloper();
  await failing(stranger.client.call(listClassFirmware, { params: { projectId } }), 'NOT_A_MEMBER');
});

it('with many bundles, the three with most devices are named, and all devices are counted', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const { id: deviceClass } = await aClass(owner, projectId);
  const ids = await manyDevices(world, projectId, deviceClass, 10);
  const names: string[] = [];
  for (const [at, count] of [1, 2, 4, 3].entries()) {
    const bundle = await aBundle(world, { projectId, deviceClass });
    names.push(bundle.name);
    const from = [0, 1, 3, 7][at] ?? 0;
    const running = ids
      .slice(from, from + count)
      .map(id => ({ projectId, deviceId: id, bundleId: bundle.id }));
    await recordInstalled(world.platform.db, running);
  }
  const [found] = await owner.client.call(listClassFirmware, { params: { projectId } });
  expect(found?.devices).toBe(10);
  expect(found?.bundles.map(({ name, devices }) => [name, devices])).toEqual([
    [names[2], 4],
    [names[3], 3],
    [names[1], 2],
  ]);
});
