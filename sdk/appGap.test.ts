import { expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { phonesOf } from '#test/phones.ts';
import { until } from '#test/until.ts';
import type { Fetch } from './fetch.ts';

const at = aGatewayWorld();
const { signedIn } = phonesOf(at);

/** A network that can be cut off for longer than the platform replays messages: the cursor has expired then. */
function aNetwork() {
  const network = { isAway: false, failsFor: 0, cut: () => {} };
  const send: Fetch = async (url, init) => {
    if (network.isAway) throw new TypeError('fetch failed');
    const isStream = url.endsWith('/events');
    if (!isStream && network.failsFor-- > 0) throw new TypeError('fetch failed');
    const headers = new Headers(init?.headers);
    if (headers.has('last-event-id')) headers.set('last-event-id', '1-1-1-1-expired');
    const line = new AbortController();
    if (isStream) network.cut = () => line.abort();
    const signal = init?.signal ? AbortSignal.any([init.signal, line.signal]) : line.signal;
    return fetch(url, { ...init, headers, signal });
  };
  return Object.assign(network, { fetch: send });
}

/** A user in two homes of an owner, whose phone is cut off. */
async function cutOff() {
  const network = aNetwork();
  const owner = await signedIn();
  const { app, email } = await signedIn({ fetch: network.fetch });
  const join = async (name: string) => {
    const home = await owner.app.openHome((await owner.app.createHome(name, 'Europe/Oslo')).id);
    await home.invite({ email, role: 'member' });
    const [invitation] = await app.invitations();
    const { id } = await app.accept({ invitationId: invitation?.id ?? '' });
    return { owned: home, home: await app.openHome(id) };
  };
  const [left, kept] = [await join('Left'), await join('Kept')];
  const states: string[] = [];
  app.onStream(state => states.push(state));
  let resets = 0;
  app.onReset(() => resets++);
  await until(() => (states.at(-1) === 'live' ? true : undefined));
  network.isAway = true;
  network.cut();
  await until(() => states.includes('waiting') || undefined);
  const back = (failsFor = 0) => {
    Object.assign(network, { isAway: false, failsFor });
    resets = 0;
    app.reconnect();
  };
  return { owner, app, email, left, kept, back, resets: () => resets };
}

it('after too long a gap, homes that are gone are closed, and the app is told to read its lists again', async () => {
  const { owner, app, email, left, kept, back, resets } = await cutOff();
  const removed = await app.user();
  await left.owned.removeMember(removed?.id ?? '');
  const { id } = await owner.app.createHome('New', 'Europe/Oslo');
  await (await owner.app.openHome(id)).invite({ email, role: 'member' });
  back();
  await until(() => (left.home.isOpen ? undefined : true));
  await until(() => resets() || undefined);
  expect([kept.home.isOpen, (await app.invitations()).length]).toEqual([true, 1]);
});

it('after too long a gap, homes are read again even if the first attempts fail', async () => {
  const { owner, kept, back } = await cutOff();
  await owner.app.call('editMyHome', { params: { homeId: kept.home.id }, body: { name: 'Renamed' } });
  back(4);
  await until(() => (kept.home.about.name === 'Renamed' ? true : undefined));
});
