import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { aFakeGateway } from '#test/fakeGateway.ts';
import { type Fault, FirmwareUpdate } from './firmwareUpdate.ts';

const at = aFakeGateway();
let count = 0;

const file = new Uint8Array(4000).fill(7);
const main = {
  component: 'main',
  version: '2.0.0',
  size: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
  url: '/files/main',
};

/** In four pieces. */
async function serve(): Promise<Response> {
  let sent = 0;
  const pull = (control: ReadableStreamDefaultController<Uint8Array>) => {
    if (sent < file.length) control.enqueue(file.slice(sent, sent + 1000));
    else control.close();
    sent += 1000;
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
}

/** What the device says on its way to the target, and what runs at the end. */
async function updated(fault: Fault) {
  count += 1;
  const deviceId = `dev_${count}`;
  const device = await at.aDevice({ deviceId });
  const firmware = new FirmwareUpdate(device, serve);
  firmware.fault.set(fault);
  at.gateway.tell(`d/${deviceId}/target`, { sequence: 1, bundleId: 'bnd_1', components: [main] });
  await at.settle(60_000);
  const told = at.gateway.published.filter(({ topic, packet }) => topic.endsWith('/progress') && !packet.dup);
  const states = told.map(({ json }) => (json as { state: string }).state);
  const last = told.at(-1)?.json as { error?: string };
  const installed = at.gateway.published.find(({ topic }) => topic.endsWith('/installed'))?.json;
  return { states: [...new Set(states)], error: last.error, installed, firmware };
}

const runs = { bundleId: 'bnd_1', components: [{ component: 'main', version: '2.0.0' }] };

it('an update goes its way, and what runs is reported after the reboot', async () => {
  const { states, installed, firmware } = await updated('none');
  expect(states).toEqual(['downloading', 'installing', 'rebooting', 'done']);
  expect(installed).toEqual(runs);
  expect(at.gateway.sockets).toHaveLength(2);
  firmware.begin();
  expect(firmware.isRunning.get()).toBe(false);
});

it('a line that breaks in the middle of an update does not end it', async () => {
  const { states, installed } = await updated('dropOut');
  expect(states).toEqual(['downloading', 'installing', 'rebooting', 'done']);
  expect(installed).toEqual(runs);
  expect(at.gateway.sockets).toHaveLength(3);
});

it.each([
  ['checksum', ['downloading', 'failed'], 'checksum'],
  ['install', ['downloading', 'installing', 'failed'], 'did not start'],
  ['decline', ['declined'], 'Declined'],
] as const)('an update that ends with %s leaves what ran before', async (fault, states, said) => {
  const outcome = await updated(fault);
  expect(outcome.states).toEqual(states);
  expect(outcome.error).toContain(said);
  expect(outcome.installed).toBeUndefined();
  expect(outcome.firmware.isRunning.get()).toBe(false);
});
