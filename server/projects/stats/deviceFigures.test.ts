import { expect, it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import { readDeviceFigures, readStats } from '#contract/stats.ts';
import { aDevice } from '#test/devices.ts';
import { someChannels } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();

it('the devices of a class are counted by connection, suspension and channel', async () => {
  const { id: deviceClass } = await at.deviceClass();
  await someChannels(at.world, { projectId: at.projectId, deviceClass }, 'alpha', 'beta');
  const devices = await Promise.all(
    ['', 'beta', 'alpha', 'beta'].map(channel => at.device({ channel, deviceClass })),
  );
  const [first, second, third] = devices;
  if (!first || !second || !third) throw new Error('There are four.');
  await at.owner.client.call(editDevice, { params: { deviceId: third.id }, body: { suspended: true } });
  await using _ = await at.connect(first);
  const left = await at.connect(second);
  await left[Symbol.asyncDispose]();
  const params = { classId: deviceClass };
  await expect
    .poll(() => at.owner.client.call(readDeviceFigures, { params, query: { projectId: at.projectId } }))
    .toEqual({
      connected: 1,
      disconnected: 1,
      never: 1,
      suspended: 1,
      claimed: 0,
      unclaimed: 4,
      channels: [
        { channel: '', count: 1 },
        { channel: 'alpha', count: 1 },
        { channel: 'beta', count: 2 },
      ],
    });
  const { devices: counted } = await at.owner.client.call(readStats, { params: { projectId: at.projectId } });
  expect(counted).toEqual([
    { deviceClass, claimed: 0, unclaimed: 4, connected: 1, disconnected: 1, never: 1, suspended: 1 },
  ]);
});

it('classes with the same id in two projects are counted separately', async () => {
  const other = await at.world.aDeveloper();
  const elsewhere = (await at.world.aProject(other)).id;
  const { deviceClass: classId } = await aDevice(other, elsewhere);
  const figures = await other.client.call(readDeviceFigures, {
    params: { classId },
    query: { projectId: elsewhere },
  });
  expect(figures).toMatchObject({ connected: 0, never: 1, unclaimed: 1 });
});
