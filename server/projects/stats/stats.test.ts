import { expect, it } from 'vitest';
import { deleteDevice } from '#contract/device.ts';
import { readStats } from '#contract/stats.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aHome, inHome } from '#test/homes.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();

it('devices are counted by class, claimed and unclaimed, including classes without devices', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const none = { connected: 0, disconnected: 0, never: 0, suspended: 0 };
  const stats = () => owner.client.call(readStats, { params: { projectId } });
  expect(await stats()).toEqual({ devices: [], users: 0 });
  for (const id of ['b', 'a']) await aClass(owner, projectId, { id });
  const made = await Promise.all(
    Array.from({ length: 9 }, () => aDevice(owner, projectId, { deviceClass: 'b' })),
  );
  const ids = made.map(({ id }) => id);
  await inHome(world, await aHome(world, projectId), ids.slice(0, 4));
  await Promise.all(
    ids.slice(3, 6).map(deviceId => owner.client.call(deleteDevice, { params: { deviceId } })),
  );
  expect(await stats()).toEqual({
    devices: [
      { deviceClass: 'a', claimed: 0, unclaimed: 0, ...none },
      { deviceClass: 'b', claimed: 3, unclaimed: 3, ...none, never: 6 },
    ],
    // The owner of the home.
    users: 1,
  });
  const stranger = await world.aDeveloper();
  await failing(stranger.client.call(readStats, { params: { projectId } }), 'NOT_A_MEMBER');
});
