import { expect, it, onTestFinished } from 'vitest';
import { deleteDevice } from '#contract/device.ts';
import { endLiveStreams } from '#server/api/http/live.ts';
import { aToken } from '#test/accessTokens.ts';
import { aCli } from '#test/cli.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

it('events of a class go on when one of its devices is deleted', async () => {
  const { token } = await aToken(at.world, at.owner, { scope: 'read', projectIds: [at.projectId] });
  const cli = aCli({ MOORING_URL: at.world.url, MOORING_TOKEN: token });
  const { id: deviceClass } = await at.deviceClass();
  const [doomed, other] = [await at.device({ deviceClass }), await at.device({ deviceClass })];
  const tail = cli.start(['events', 'tail', '--class', deviceClass]);
  onTestFinished(() => void tail.child.kill('SIGKILL'));
  await until(() => (tail.said.err.includes('Listening to 2 devices') ? true : undefined));
  await at.owner.client.call(deleteDevice, { params: { deviceId: doomed.id } });
  // As a restart of the server does: the command line opens every stream again.
  endLiveStreams();
  await until(() => (tail.said.err.includes('was deleted') ? true : undefined));
  await using hardware = await at.connect(other);
  // The stream may be reconnecting, so this sends until one arrives.
  await until(async () => {
    await hardware.say('events/door', { open: true });
    return tail.said.out.includes('door') ? true : undefined;
  });
  tail.child.kill('SIGTERM');
  expect((await tail.ended).err).not.toContain('DEVICE_NOT_FOUND');
});
