import { afterEach, expect, it } from 'vitest';
import { readCommand, sendCommand } from '#contract/command.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectDevice, type Device, type Json } from './device.ts';

const at = aGatewayWorld();
const open: Device[] = [];
afterEach(() => {
  for (const device of open.splice(0)) device.close();
});

async function aDevice() {
  const { id, apiKey } = await at.device();
  const device = connectDevice({ url: at.world.url, deviceId: id, apiKey });
  open.push(device);
  return { device, params: { deviceId: id }, call: at.owner.client.call };
}

it.each<[string, unknown, string]>([
  ['a NUL', { text: 'a\0b' }, 'NUL'],
  ['half an emoji', '😀'.slice(0, 1), 'surrogate'],
  ['more than 100 levels', JSON.parse('['.repeat(101) + ']'.repeat(101)), '100 levels'],
])('a result with %s fails the command, and only that counts as answered', async (_, result, why) => {
  const { params, device, call } = await aDevice();
  const answered = Promise.withResolvers<unknown>();
  device.onCommand('read', (_, command) => {
    const read = { params: { ...params, commandId: command.id } };
    command.answered.then(() => answered.resolve(call(readCommand, read)), answered.reject);
    return result as Json;
  });
  await call(sendCommand, { params, body: { name: 'read' } });
  expect(await answered.promise).toMatchObject({
    stage: 'failed',
    error: expect.stringContaining(why),
  });
});

it('an error is answered however long it is, without a NUL or half an emoji', async () => {
  const { params, device, call } = await aDevice();
  device.onCommand('fail', () => {
    throw new Error(`\0${'x'.repeat(1998)}😀 and more`);
  });
  const { id: commandId } = await call(sendCommand, { params, body: { name: 'fail' } });
  expect(
    await call(readCommand, { params: { ...params, commandId }, query: { waitMs: 10_000 } }),
  ).toMatchObject({
    stage: 'failed',
    error: `\ufffd${'x'.repeat(1998)}`,
  });
});
