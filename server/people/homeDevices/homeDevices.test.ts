import { expect, it } from 'vitest';
import { readDevice } from '#contract/device.ts';
import { addHomeDevice, listHomeDevices, prepareResale, releaseHomeDevice } from '#contract/homeDevice.ts';
import { failing } from '#test/failing.ts';
import { aHome } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

it('a developer adds a device to a home, sees its owner and since when, and removes it again', async () => {
  const { call } = at.owner.client;
  const [home, other] = [await aHome(at.world, at.projectId), await aHome(at.world, at.projectId)];
  const { id: deviceId } = await at.device({ name: 'Hall' });
  const added = await call(addHomeDevice, { params: { homeId: home }, body: { deviceId } });
  expect(added).toMatchObject({ id: deviceId, claimed: true, claimedHow: 'added' });
  expect(await call(listHomeDevices, { params: { homeId: home } })).toEqual([added]);
  expect(await call(listHomeDevices, { params: { homeId: other } })).toEqual([]);
  const again = call(addHomeDevice, { params: { homeId: other }, body: { deviceId } });
  await failing(again, 'DEVICE_CLAIMED');
  const foreign = call(releaseHomeDevice, { params: { homeId: other, deviceId } });
  await failing(foreign, 'DEVICE_NOT_FOUND');
  const released = await call(releaseHomeDevice, { params: { homeId: home, deviceId } });
  expect(released.claimCode).toMatch(/^[2-9A-Z]{10}$/);
  expect(await call(listHomeDevices, { params: { homeId: home } })).toEqual([]);
});

it('a device of another project cannot be added to a home', async () => {
  const stranger = await at.world.aDeveloper();
  const theirs = await at.world.aProject(stranger);
  const { id: deviceId } = await at.device();
  const params = { homeId: await aHome(at.world, theirs.id) };
  await failing(stranger.client.call(addHomeDevice, { params, body: { deviceId } }), 'DEVICE_NOT_FOUND');
});

it('a home prepared for resale is exported, and each device gets a new claim code and a new key', async () => {
  const { call } = at.owner.client;
  const params = { homeId: await aHome(at.world, at.projectId) };
  const device = await at.device();
  await call(addHomeDevice, { params, body: { deviceId: device.id } });
  const resale = await call(prepareResale, { params, body: { rotateKeys: true } });
  expect(resale).toMatchObject({
    exportId: expect.stringMatching(/^exp_/),
    devices: [{ deviceId: device.id }],
  });
  const [released] = resale.devices;
  expect(released?.apiKey).toHaveLength(32);
  const read = await call(readDevice, { params: { deviceId: device.id } });
  expect(read).toMatchObject({ claimed: false, claimCode: released?.claimCode });
  expect(read.apiKeyEnd).toBe(released?.apiKey?.slice(-4));
  expect(read.previousKeyUntil).toBeDefined();
  expect(await call(listHomeDevices, { params })).toEqual([]);
});
