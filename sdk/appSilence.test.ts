import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minuteMs } from '#rules/time/durations.ts';
import { storageHere } from './app/memory.ts';
import type { StreamSocketClass } from './app/readWebSocket.ts';
import { type AppOptions, createApp, type Tokens } from './app.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A network that swallows packets: nothing ever answers or fails, not even when it is aborted. */
const swallow = () => new Promise<never>(() => undefined);

async function aSilentPhone(given: Partial<AppOptions> = {}) {
  const own = { url: 'https://mooring.example.com', app: 'thermo@prj_1', storage: storageHere() };
  const app = createApp({ ...own, fetch: swallow, ...given });
  const in1h = new Date(Date.now() + 60 * minuteMs).toISOString();
  const tokens = { accessToken: 'a', refreshToken: 'r', deviceToken: 'd', sessionId: 'ses_1' };
  const user = { id: 'usr_1', email: 'mari@example.com' } as Tokens['user'];
  await app.startWith({ ...tokens, accessExpiresAt: in1h, sessionExpiresAt: in1h, user });
  return app;
}

it('signing out ends the session here within seconds, even if packets are swallowed', async () => {
  const app = await aSilentPhone();
  const signingOut = app.signOut().then(() => 'done');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await Promise.race([signingOut, 'hanging'])).toBe('done');
  expect(await app.user()).toBeUndefined();
});

it('a call, and the refresh it needs, fail after a minute at most and can be tried again', async () => {
  const asked: string[] = [];
  const app = await aSilentPhone({
    fetch: url => {
      asked.push(url);
      return swallow();
    },
  });
  await vi.advanceTimersByTimeAsync(120 * minuteMs);
  for (let attempt = 1; attempt <= 2; attempt++) {
    const called = app.homes().catch(error => error.reason);
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(await Promise.race([called, 'hanging'])).toBe('CONNECTION_ERROR');
    expect(asked.filter(url => url.endsWith('/refresh'))).toHaveLength(attempt);
  }
});

class SilentSocket {
  onmessage = null;
  onclose = null;
  onerror = null;
  close(): void {}
}

it.each<[string, () => Partial<AppOptions>]>([
  ['whose answer never begins', () => ({})],
  [
    'whose socket neither opens nor closes',
    () => {
      vi.stubGlobal('TextDecoderStream', undefined);
      const ticket = { ticket: 't', expiresAt: '2999-01-01T00:00:00.000Z' };
      return { WebSocket: SilentSocket as StreamSocketClass, fetch: async () => Response.json(ticket) };
    },
  ],
])('a stream %s is given up and tried again', async (_, given) => {
  const app = await aSilentPhone(given());
  vi.unstubAllGlobals();
  const states: string[] = [];
  app.onStream(state => states.push(state));
  const stop = app.onMessage(() => undefined);
  await vi.advanceTimersByTimeAsync(10 * minuteMs);
  expect(states.slice(0, 4)).toEqual(['off', 'connecting', 'waiting', 'connecting']);
  stop();
});

it('a stream that needs a refresh first does not wait for it forever', async () => {
  const app = await aSilentPhone();
  await vi.advanceTimersByTimeAsync(120 * minuteMs);
  const states: string[] = [];
  app.onStream(state => states.push(state));
  const stop = app.onMessage(() => undefined);
  await vi.advanceTimersByTimeAsync(10 * minuteMs);
  expect(states).toContain('waiting');
  stop();
});
