import { expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { phonesOf } from '#test/phones.ts';
import { until } from '#test/until.ts';
import type { AppOptions } from './app.ts';

const at = aGatewayWorld();
const { aLamp, signedIn } = phonesOf(at);

/** How a network loses an answer: as a whole, in the middle, or because another page comes in its place. */
const losses = {
  whole: () => {
    throw new TypeError('fetch failed');
  },
  middle: () => {
    const body = new ReadableStream({
      start: to => to.enqueue(new TextEncoder().encode('{"id":')),
      pull: to => to.error(new TypeError('terminated')),
    });
    return new Response(body, { status: 200, headers: { 'content-type': 'application/json' } });
  },
  replaced: () => new Response('<h1>Welcome to the hotel</h1>'),
};

/** A network that loses the answer to the next call of this path. */
function losing() {
  const network: { next?: RegExp; method: string; how: keyof typeof losses } = {
    method: 'POST',
    how: 'whole',
  };
  const send: AppOptions['fetch'] = async (url, init) => {
    const answer = await fetch(url, init);
    if (init?.method !== network.method || !network.next?.test(new URL(url).pathname)) return answer;
    delete network.next;
    return losses[network.how]();
  };
  return Object.assign(network, { fetch: send });
}

const lost = { reason: 'CONNECTION_ERROR' };

it.each([
  ['whole', 'CONNECTION_ERROR'],
  ['middle', 'CONNECTION_ERROR'],
  ['replaced', 'DISABLED'],
] as const)(
  'a command sent again after its answer was lost (%s) reaches the device once',
  async (how, reason) => {
    const network = Object.assign(losing(), { how });
    const { lamp, thing } = await aLamp({ fetch: network.fetch });
    let blinks = 0;
    thing.onCommand('blink', () => ({ count: ++blinks }));
    network.next = /\/commands$/;
    await expect(lamp.send('blink', { times: 3 })).rejects.toMatchObject({ reason });
    expect(await lamp.send('blink', { times: 3 })).toEqual({ count: 1 });
    expect(await lamp.send('blink', { times: 3 })).toEqual({ count: 2 });
  },
);

it('a home created, and an invitation sent or accepted, again after a lost answer is the first one', async () => {
  const network = losing();
  const { app } = await signedIn({ fetch: network.fetch });
  const guest = await signedIn({ fetch: network.fetch });
  network.next = /\/homes$/;
  await expect(app.createHome('Home', 'Europe/Oslo')).rejects.toMatchObject(lost);
  const home = await app.openHome((await app.createHome('Home', 'Europe/Oslo')).id);
  expect(await app.homes()).toHaveLength(1);
  const invite = () => home.invite({ email: guest.email, role: 'member' });
  network.next = /\/invitations$/;
  await expect(invite()).rejects.toMatchObject(lost);
  await invite();
  expect((await at.world.mailsTo(guest.email)).length).toBe(1);
  const [invitation] = await guest.app.invitations();
  const accept = () => guest.app.accept({ invitationId: invitation?.id ?? '' });
  network.next = /\/invitations\//;
  await expect(accept()).rejects.toMatchObject(lost);
  expect((await accept()).id).toBe(home.id);
});

it.each(['middle', 'replaced'] as const)('a home whose answer is lost (%s) is read again', async how => {
  const network = Object.assign(losing(), { how, method: 'GET' });
  const { app, home } = await aLamp({ fetch: network.fetch });
  const states: string[] = [];
  app.onStream(state => states.push(state));
  await until(() => (states.at(-1) === 'live' ? true : undefined));
  // The stream has just been opened, so the home is being read.
  await home.refresh();
  network.next = /\/homes\/\d+$/;
  await app.call('editMyHome', { params: { homeId: home.id }, body: { name: 'Renamed' } });
  await until(() => (home.about.name === 'Renamed' ? true : undefined));
  expect(network.next).toBeUndefined();
});
