import { afterEach, expect, it } from 'vitest';
import type { AppOptions } from '#sdk/app.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { phonesOf } from '#test/phones.ts';
import { until } from '#test/until.ts';
import { HomeFeed } from './homeFeed.ts';

const at = aGatewayWorld();
const { aLamp } = phonesOf(at);
const feeds: HomeFeed[] = [];
afterEach(() => {
  for (const feed of feeds.splice(0)) feed.close();
});

/** A network in which some calls fail, and whose stream can be cut off for longer than the platform replays messages. */
function aNetwork() {
  const network = { fails: /^$/, cut: () => {} };
  const send: AppOptions['fetch'] = async (url, init) => {
    const { pathname } = new URL(url);
    if (network.fails.test(pathname)) throw new TypeError('fetch failed');
    if (!pathname.endsWith('/events') || init?.method) return fetch(url, init);
    const headers = new Headers(init?.headers);
    if (headers.has('last-event-id')) headers.set('last-event-id', '1-1-1-1-expired');
    const line = new AbortController();
    network.cut = () => line.abort();
    const signals = [line.signal, ...(init?.signal ? [init.signal] : [])];
    return fetch(url, { ...init, headers, signal: AbortSignal.any(signals) });
  };
  return Object.assign(network, { fetch: send });
}

/** A home with a lamp that has raised an alert. */
async function aHome() {
  const network = aNetwork();
  const { app, home, lamp, thing } = await aLamp({ fetch: network.fetch });
  await thing.raiseAlert('smoke', { severity: 'critical', text: 'It burns.' });
  const feedOf = () => {
    const feed = new HomeFeed(app, home);
    feeds.push(feed);
    return feed;
  };
  return { network, app, home, lamp, thing, feedOf };
}

const texts = (feed: HomeFeed) => feed.alerts.get()?.map(({ text }) => text);

it('what a device did leaves the app with the device', async () => {
  const { lamp, feedOf } = await aHome();
  const feed = feedOf();
  await until(() => (feed.events.get().length === 1 && texts(feed)?.length === 1 ? true : undefined));
  await lamp.release();
  await until(() => (feed.events.get().length === 0 && texts(feed)?.length === 0 ? true : undefined));
});

it('alerts that could not be read are not shown as none, and are read when one tries again', async () => {
  const { network, feedOf } = await aHome();
  network.fails = /\/alerts$/;
  const feed = feedOf();
  const failure = await until(() => feed.failure.get());
  expect([failure.reason, texts(feed)]).toEqual(['CONNECTION_ERROR', undefined]);
  network.fails = /^$/;
  feed.readAgain();
  await until(() => (texts(feed)?.length === 1 ? true : undefined));
  expect(feed.failure.get()).toBeUndefined();
});

it('after too long a gap, alerts and events are read again', async () => {
  const { network, app, thing, feedOf } = await aHome();
  const feed = feedOf();
  const states: string[] = [];
  app.onStream(state => states.push(state));
  await until(() => (states.at(-1) === 'live' && texts(feed)?.length === 1 ? true : undefined));
  network.fails = /\/events$/;
  network.cut();
  await until(() => states.includes('waiting') || undefined);
  await thing.raiseAlert('water', { severity: 'warning', text: 'It is wet.' });
  network.fails = /^$/;
  app.reconnect();
  await until(() => (texts(feed)?.includes('It is wet.') ? true : undefined));
  await until(() => (feed.events.get().some(({ name }) => name === 'water') ? true : undefined));
});
