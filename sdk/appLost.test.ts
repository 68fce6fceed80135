import { expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { phonesOf } from '#test/phones.ts';
import type { AppOptions } from './app.ts';

const at = aGatewayWorld();
const { aLamp, signedIn } = phonesOf(at);

/** A network that loses the answer to the next change of this path. */
function losing() {
  const network: { next?: RegExp } = {};
  const send: AppOptions['fetch'] = async (url, init) => {
    const answer = await fetch(url, init);
    if (init?.method !== 'POST' || !network.next?.test(new URL(url).pathname)) return answer;
    delete network.next;
    throw new TypeError('fetch failed');
  };
  return Object.assign(network, { fetch: send });
}

const lost = { reason: 'CONNECTION_ERROR' };

it('a command sent again after a lost answer reaches the device once', async () => {
  const network = losing();
  const { lamp, thing } = await aLamp({ fetch: network.fetch });
  let blinks = 0;
  thing.onCommand('blink', () => ({ count: ++blinks }));
  network.next = /\/commands$/;
  await expect(lamp.send('blink', { times: 3 })).rejects.toMatchObject(lost);
  expect(await lamp.send('blink', { times: 3 })).toEqual({ count: 1 });
  expect(await lamp.send('blink', { times: 3 })).toEqual({ count: 2 });
});

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
