import { expect, it, vi } from 'vitest';
import type { ResultFrame } from '#contract/deviceProtocol.ts';
import { aFakeGateway, uncaughtDuring } from '#test/fakeGateway.ts';

const at = aFakeGateway();
const { aDevice, settle } = at;

const expiresAt = '2026-11-21T08:30:00.000Z';

async function command(name: string, id: string, args: unknown = {}): Promise<void> {
  at.gateway.tell(`d/dev_1/commands/${name}`, { id, args, expiresAt });
  await settle();
}

const answers = () =>
  at.gateway.published.map(({ topic, json }) => [topic.replace('d/dev_1/results/', ''), json]);

it('a command is answered with what its handler returns, or throws', async () => {
  const device = await aDevice();
  device.onCommand('blink', (args, { name }) => ({ name, args }));
  device.onCommand('reset', () => undefined);
  device.onCommand('open', async () => {
    throw new Error('The door is stuck.');
  });
  await command('blink', 'c1', { times: 2 });
  await command('reset', 'c2');
  await command('open', 'c3');
  await command('fly', 'c4');
  expect(answers()).toEqual([
    ['c1', { ok: true, result: { name: 'blink', args: { times: 2 } } }],
    ['c2', { ok: true }],
    ['c3', { ok: false, error: 'The door is stuck.' }],
    ['c4', { ok: false, error: 'This device does not know the command fly.' }],
  ]);
});

it('a command without its own handler goes to the handler for all', async () => {
  const device = await aDevice();
  const stop = device.onCommand('*', (_, { name }) => name);
  await command('fly', 'c1');
  stop();
  await command('fly', 'c2');
  expect(answers()).toEqual([
    ['c1', { ok: true, result: 'fly' }],
    ['c2', expect.objectContaining({ ok: false })],
  ]);
});

it('an answer still fits into a full outbox', async () => {
  const device = await aDevice({ outbox: { countMax: 2 } });
  device.onCommand('blink', () => 'blinked');
  at.gateway.acknowledges = false;
  for (let n = 0; n < 3; n++) void device.sendEvent('tick', n).catch(() => undefined);
  await command('blink', 'c1');
  expect(answers().at(-1)).toEqual(['c1', { ok: true, result: 'blinked' }]);
});

it('a repeated command is answered again, but not executed again', async () => {
  const device = await aDevice();
  const blink = vi.fn(() => 'done');
  device.onCommand('blink', blink);
  await command('blink', 'c1');
  at.gateway.last.cut();
  await settle(60_000);
  await command('blink', 'c1');
  expect(blink).toHaveBeenCalledOnce();
  expect(answers()).toEqual([
    ['c1', { ok: true, result: 'done' }],
    ['c1', { ok: true, result: 'done' }],
  ]);
});

it('a command repeated during its execution is executed once', async () => {
  const device = await aDevice();
  const { promise, resolve } = Promise.withResolvers<string>();
  const open = vi.fn(() => promise);
  device.onCommand('open', open);
  await command('open', 'c1');
  at.gateway.last.cut();
  await settle(60_000);
  await command('open', 'c1');
  resolve('opened');
  await settle();
  expect(open).toHaveBeenCalledOnce();
  expect(answers()).toEqual([['c1', { ok: true, result: 'opened' }]]);
});

it('a stored answer prevents a command from being executed again after a reboot', async () => {
  const commandMemory = new Map<string, ResultFrame>();
  const reboot = vi.fn();
  const first = await aDevice({ commandMemory });
  const rebooted = vi.fn();
  first.onCommand('reboot', (_, { answered }) => {
    reboot();
    answered.then(rebooted);
  });
  at.gateway.acknowledges = false;
  await command('reboot', 'c1');
  expect(rebooted).not.toHaveBeenCalled();
  at.gateway.acknowledges = true;
  at.gateway.last.cut();
  await settle(60_000);
  expect(rebooted).toHaveBeenCalledOnce();
  first.close();
  const second = await aDevice({ commandMemory });
  second.onCommand('reboot', reboot);
  await command('reboot', 'c1');
  expect(reboot).toHaveBeenCalledOnce();
  expect(answers().at(-1)).toEqual(['c1', { ok: true }]);
});

it('a command is answered, and not executed again, even if the memory of the device is full', async () => {
  const full = new Error('no space left on device, write');
  const commandMemory = {
    get: () => undefined,
    set: () => {
      throw full;
    },
  };
  const device = await aDevice({ commandMemory });
  const open = vi.fn(() => 'opened');
  device.onCommand('open', open);
  const faults = await uncaughtDuring(async () => {
    await command('open', 'c1');
    await command('open', 'c1');
  });
  expect(answers()).toEqual([
    ['c1', { ok: true, result: 'opened' }],
    ['c1', { ok: true, result: 'opened' }],
  ]);
  expect(open).toHaveBeenCalledOnce();
  expect(faults).toEqual([full]);
});

it('a command is executed and answered even if the memory of the device cannot be read', async () => {
  const broken = new Error('not JSON');
  const commandMemory = {
    get: () => {
      throw broken;
    },
    set: () => undefined,
  };
  const device = await aDevice({ commandMemory });
  device.onCommand('open', () => 'opened');
  expect(await uncaughtDuring(() => command('open', 'c1'))).toEqual([broken]);
  expect(answers()).toEqual([['c1', { ok: true, result: 'opened' }]]);
});

it('a result that cannot be sent is answered as an error', async () => {
  const device = await aDevice();
  device.onCommand('dump', () => 'x'.repeat(200_000));
  await command('dump', 'c1');
  expect(answers()).toEqual([
    ['c1', { ok: false, error: 'The result cannot be sent: The message is larger than 128 KiB.' }],
  ]);
});
