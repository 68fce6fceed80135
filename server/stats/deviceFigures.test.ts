import { afterAll, beforeAll, expect, it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import { readDeviceFigures, readStats } from '#contract/stats.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { mqttDevice } from '#test/mqttDevice.ts';
import { aWorld, type SignedIn, type World } from '#test/world.ts';

let world: World;
let owner: SignedIn;
let projectId: string;
beforeAll(async () => {
  world = await aWorld({ MQTT_PORT: '0' });
  owner = await world.aDeveloper();
  projectId = (await world.aProject(owner)).id;
});
afterAll(() => world.end());

it('a class counts its devices by connection, suspension and channel', async () => {
  const { id: deviceClass } = await aClass(owner, projectId);
  const devices = await Promise.all(
    ['', 'beta', 'alpha', 'beta'].map(channel => aDevice(owner, projectId, { channel, deviceClass })),
  );
  const [first, second, third] = devices;
  if (!first || !second || !third) throw new Error('There are four.');
  await owner.client.call(editDevice, { params: { deviceId: third.id }, body: { suspended: true } });
  await using _ = await mqttDevice(world.mqttUrl ?? '', first);
  const left = await mqttDevice(world.mqttUrl ?? '', second);
  await left[Symbol.asyncDispose]();
  const params = { classId: deviceClass };
  await expect
    .poll(() => owner.client.call(readDeviceFigures, { params, query: { projectId } }))
    .toEqual({
      connected: 1,
      disconnected: 1,
      never: 2,
      suspended: 1,
      claimed: 0,
      unclaimed: 4,
      channels: [
        { channel: '', count: 1 },
        { channel: 'alpha', count: 1 },
        { channel: 'beta', count: 2 },
      ],
    });
  const { devices: counted } = await owner.client.call(readStats, { params: { projectId } });
  expect(counted).toEqual([{ deviceClass, claimed: 0, unclaimed: 4, connected: 1 }]);
});

it('the figures of another project’s class of the same name stay its own', async () => {
  const other = await world.aDeveloper();
  const elsewhere = (await world.aProject(other)).id;
  const { deviceClass: classId } = await aDevice(other, elsewhere);
  const figures = await other.client.call(readDeviceFigures, {
    params: { classId },
    query: { projectId: elsewhere },
  });
  expect(figures).toMatchObject({ connected: 0, never: 1, unclaimed: 1 });
});
