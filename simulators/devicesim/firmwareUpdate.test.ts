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

const target = { sequence: 1, bundleId: 'bnd_1', components: [main] };

/** Serves the target, and the file in four chunks. */
async function serve(url: string): Promise<Response> {
  if (url.endsWith('/target')) return Response.json(target);
  let sent = 0;
  const pull = (control: ReadableStreamDefaultController<Uint8Array>) => {
    if (sent < file.length) control.enqueue(file.slice(sent, sent + 1000));
    else control.close();
    sent += 1000;
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
}

/** The states that the device reports during an update, and what runs at the end. */
async function updated(fault: Fault) {
  count += 1;
  const deviceId = `dev_${count}`;
  const device = await at.aDevice({ deviceId, fetch: serve });
  const firmware = new FirmwareUpdate(device, serve);
  firmware.fault.set(fault);
  at.gateway.tell(`d/${deviceId}/target`, target);
  await at.settle(30_000);
  const told = at.gateway.published.filter(({ topic, packet }) => topic.endsWith('/progress') && !packet.dup);
  const reports = told.map(({ json }) => json as { state: string; code?: string });
  const states = reports.map(({ state, code }) => (state === 'failed' ? `failed ${code}` : state));
  const installed = at.gateway.published.filter(({ topic }) => topic.endsWith('/installed')).at(-1)?.json;
  return { states: [...new Set(states)], installed, firmware };
}

const { component, version, sha256 } = main;
const runs = { bundleId: 'bnd_1', sequence: 1, components: [{ component, version, sha256 }] };
const before = ['accepted', 'downloading', 'verifying'];
const way = [...before, 'installing', 'rebooting', 'confirming', 'done'];

it('an update goes through its states, and the running version is reported after the reboot', async () => {
  const { states, installed, firmware } = await updated('none');
  expect(states).toEqual(way);
  expect(installed).toEqual(runs);
  expect(at.gateway.sockets).toHaveLength(2);
  expect(firmware.isRunning.get()).toBe(false);
  expect(firmware.installed.get()).toEqual(runs);
});

it.each([
  ['dropOut', 3],
  ['slow', 2],
] as const)('a %s in the middle of an update does not end it', async (fault, connections) => {
  const { states, installed } = await updated(fault);
  expect(states).toEqual(way);
  expect(installed).toEqual(runs);
  expect(at.gateway.sockets).toHaveLength(connections);
});

it.each([
  ['checksum', [...before, 'failed hash_mismatch']],
  ['signature', ['accepted', 'failed signature_invalid']],
  ['noSpace', ['failed no_space']],
  ['decline', ['accepted', 'declined']],
  ['postpone', ['accepted', 'postponed']],
  ['boot', [...way.slice(0, 5), 'failed rolled_back']],
  ['selfTest', [...way.slice(0, 6), 'failed self_test_failed']],
] as const)('an update that ends with %s leaves what ran before', async (fault, states) => {
  const outcome = await updated(fault);
  expect(outcome.states).toEqual(states);
  expect(outcome.installed).toEqual({ components: [] });
  expect(outcome.firmware.isRunning.get()).toBe(false);
});
