import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { aNatsServer, type NatsServer, natsServerPath } from '#test/natsServer.ts';
import { until } from '#test/until.ts';
import type { Bus } from './bus.ts';
import { NatsBus, natsSubject } from './nats.ts';

it.each([
  ['device dev_1', 'mooring.device.dev_1'],
  ['class prj_1 a.b*>', 'mooring.class.prj_1.a=2e=b=2a==3e='],
  ['project å', 'mooring.project.=e5='],
])('the subject %s is %s in NATS', (subject, there) => expect(natsSubject(subject)).toBe(there));

describe.skipIf(!natsServerPath)('two processes on one NATS (skipped without a nats-server)', () => {
  let server: NatsServer;
  let buses: Bus[] = [];
  const log = vi.fn();
  beforeAll(async () => {
    server = await aNatsServer();
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await Promise.all(buses.map(bus => bus.end()));
    buses = [];
    log.mockClear();
  });

  async function aBus(): Promise<Bus> {
    const bus = new NatsBus(server.url, log);
    buses.push(bus);
    await until(() => (bus.isAway ? undefined : true));
    return bus;
  }

  /** Repeats a message until it is received: a subscription takes a moment to arrive. */
  async function tellUntil(bus: Bus, subject: string, message: unknown, heard: unknown[]): Promise<void> {
    await until(() => {
      bus.publish(subject, message);
      return heard.length > 0 ? true : undefined;
    });
  }

  it('receive each other’s messages, and their own once', async () => {
    const [one, other] = [await aBus(), await aBus()];
    const here: unknown[] = [];
    const there: unknown[] = [];
    one.subscribe('device dev_1', message => here.push(message));
    other.subscribe('device dev_1', message => there.push(message));
    await tellUntil(one, 'device dev_1', { kind: 'access' }, there);
    expect(there[0]).toEqual({ kind: 'access' });
    const said = here.length;
    one.publish('device dev_1', { kind: 'access' });
    expect(here.length).toBe(said + 1);
  });

  it('receive nothing more after unsubscribing', async () => {
    const [one, other] = [await aBus(), await aBus()];
    const heard: unknown[] = [];
    const last: unknown[] = [];
    const stop = other.subscribe('a', message => heard.push(message));
    other.subscribe('b', message => last.push(message));
    await tellUntil(one, 'a', 1, heard);
    stop();
    const before = heard.length;
    one.publish('a', 2);
    await tellUntil(one, 'b', 1, last);
    expect(heard.length).toBe(before);
  });

  it('work alone while NATS is unreachable, and together again afterwards', async () => {
    const [one, other] = [await aBus(), await aBus()];
    const here: unknown[] = [];
    const there: unknown[] = [];
    one.subscribe('a', message => here.push(message));
    other.subscribe('a', message => there.push(message));
    await server.stop();
    await until(() => (one.isAway && other.isAway ? true : undefined));
    one.publish('a', 'alone');
    expect(here).toEqual(['alone']);
    await server.start();
    await until(() => (one.isAway || other.isAway ? undefined : true));
    await tellUntil(one, 'a', 'together', there);
    expect(there).not.toContain('alone');
    expect(log.mock.calls.filter(([level]) => level === 'warn')).toHaveLength(2);
  });
});

it('an unreachable NATS blocks no caller, and is logged once', async () => {
  const log = vi.fn();
  const bus = new NatsBus('nats://127.0.0.1:1', log);
  const heard: unknown[] = [];
  bus.subscribe('a', message => heard.push(message));
  bus.publish('a', 1);
  expect(heard).toEqual([1]);
  expect(bus.isAway).toBe(true);
  await until(() => (log.mock.calls.length > 0 ? true : undefined));
  await bus.end();
  expect(log).toHaveBeenCalledTimes(1);
});
