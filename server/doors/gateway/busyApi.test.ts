import { expect, it } from 'vitest';
import { readCommand, sendCommand } from '#contract/command.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

it('a device is served, and its command result stored, while the API has no free database connection', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  await here.listen('commands/+');
  const params = { deviceId: device.id };
  const command = await at.owner.client.call(sendCommand, { params, body: { name: 'blink' } });
  await here.next('commands/blink');
  const { pool } = at.world.platform.db;
  // Other parts of the server hold some connections, so a few of these wait, as calls would.
  const taken = Array.from({ length: pool.options.max }, () => pool.connect());
  await until(() => (pool.waitingCount > 0 && pool.idleCount === 0 ? true : undefined));
  try {
    await here.say(`results/${command.id}`, { ok: true });
    await using other = await at.connect(device, { clientId: 'other' });
    await other.say('events/door', {});
  } finally {
    for (const one of taken)
      void one.then(
        client => client.release(),
        () => undefined,
      );
    await Promise.allSettled(taken);
  }
  const answer = await at.owner.client.call(readCommand, { params: { ...params, commandId: command.id } });
  expect(answer.stage).toBe('done');
});
