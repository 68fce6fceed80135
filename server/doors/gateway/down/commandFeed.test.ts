import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { MqttSession } from '#server/doors/gateway/mqtt/mqttSession.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';
import { CommandFeed } from './commandFeed.ts';

const frame = { id: 'cmd_1', args: {}, expiresAt: '2026-11-20T12:00:00.000Z' };
const one = { id: 'cmd_1', name: 'blink', frame };

/** A feed of a device that subscribes to everything at QoS 0, with both its ends mocked. */
function aFeed() {
  const sent: string[] = [];
  const happened = {
    looks: 0,
    logged: [] as string[],
    acknowledged: () => {},
    noted: Promise.resolve(true),
    waiting: [] as { id: string; name: string; frame: typeof frame }[],
  };
  const session = {
    device: { id: 'dev_1' },
    isBehind: false,
    hears: () => 0,
    send: (topic: string, _: unknown, { acknowledged }: { acknowledged: () => void }) => {
      happened.acknowledged = acknowledged;
      return sent.push(topic) > 0;
    },
  } as unknown as MqttSession;
  const parts = {
    platform: { log: (_: unknown, text: string) => happened.logged.push(text) },
    commands: {
      send: () => happened.noted,
      acknowledge: () => Promise.reject(new Error('The disk is full.')),
    },
    pending: {
      after: async (_: unknown, after: string) => {
        happened.looks += 1;
        return after === '' ? happened.waiting : [];
      },
    },
  } as unknown as GatewayParts;
  return { feed: new CommandFeed(parts, session), sent, happened };
}

describe('a command that was delivered', () => {
  it('is not delivered again because a list read earlier does not contain it', async () => {
    const { feed, sent, happened } = aFeed();
    const askedMs = performance.now();
    feed.command('blink', frame, true);
    happened.waiting = [one];
    feed.waiting([], askedMs);
    feed.waiting([one], performance.now());
    await turn();
    expect(sent).toEqual(['commands/blink']);
  });

  it('is forgotten once it is no longer pending', async () => {
    const { feed, sent } = aFeed();
    feed.command('blink', frame, true);
    await turn();
    feed.waiting([], performance.now() + 1);
    feed.command('blink', frame, true);
    await turn();
    expect(sent).toHaveLength(2);
  });
});

it('a command does not overtake an older one that is not yet marked as sent', async () => {
  const { feed, sent, happened } = aFeed();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  happened.noted = promise;
  const newer = { id: 'cmd_2', name: 'beep', frame: { ...frame, id: 'cmd_2' } };
  happened.waiting = [one, newer];
  feed.command('blink', frame, false);
  feed.command('beep', newer.frame, true);
  resolve(true);
  await turn();
  await turn();
  expect(sent).toEqual(['commands/blink', 'commands/beep']);
});

it('an acknowledgement that cannot be stored is logged, and does not crash the process', async () => {
  const { feed, happened } = aFeed();
  feed.command('blink', frame, true);
  await turn();
  happened.acknowledged();
  await turn();
  expect(happened.logged).toEqual(['A queued command could not be announced']);
});

it('a feed always queries again after a request, even during a query', async () => {
  for (let ticks = 0; ticks < 20; ticks++) {
    const { feed, happened } = aFeed();
    feed.feed();
    for (let i = 0; i < ticks; i++) await Promise.resolve();
    const before = happened.looks;
    feed.feed();
    await turn();
    expect(happened.looks, `asked ${ticks} ticks after the first time`).toBeGreaterThan(before);
  }
});
