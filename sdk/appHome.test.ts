import { expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { phonesOf } from '#test/phones.ts';
import { until } from '#test/until.ts';
import type { AppOptions } from './app.ts';

const at = aGatewayWorld();
const { signedIn, aLamp } = phonesOf(at);

/** Answers to reads of this path come late: they are kept back from `hold` to `letGo`. */
function late(end: string) {
  let going: PromiseWithResolvers<void> | undefined;
  let isHeld = false;
  const gate = {
    hold: () => {
      going = Promise.withResolvers();
    },
    letGo: () => {
      going?.resolve();
      going = undefined;
    },
    get isHeld() {
      return isHeld;
    },
    fetch: (async (url, init) => {
      const answer = await fetch(url, init);
      if ((init?.method ?? 'GET') === 'GET' && new URL(url).pathname.endsWith(end) && going) {
        isHeld = true;
        await going.promise;
      }
      return answer;
    }) satisfies AppOptions['fetch'],
  };
  return gate;
}

it('a device that is claimed while its home is read stays the one that was handed out', async () => {
  const list = late('/devices');
  const { app } = await signedIn({ fetch: list.fetch });
  const home = await app.openHome((await app.createHome('Home', 'Europe/Oslo')).id);
  const { claimCode } = await at.device();
  list.hold();
  await until(() => {
    void home.refresh();
    return list.isHeld || undefined;
  });
  const lamp = await home.claim(claimCode ?? '');
  list.letGo();
  await home.refresh();
  expect(home.device(lamp.id)).toBe(lamp);
});

it('a device that leaves while its home is read does not come back with the answer', async () => {
  const list = late('/devices');
  const { home, lamp, thing } = await aLamp({ fetch: list.fetch });
  // By then it has been told of all that happened before.
  await thing.reportState({ on: true });
  await until(() => (lamp.reported.on ? true : undefined));
  await home.refresh();
  list.hold();
  await until(() => {
    void home.refresh();
    return list.isHeld || undefined;
  });
  await lamp.release();
  await until(() => (home.devices.length === 0 ? true : undefined));
  list.letGo();
  await home.refresh();
  await until(() => (home.devices.length === 0 ? true : undefined));
});

it('what a device reports after its home was read and before the stream begins is not lost', async () => {
  const states = late('/states');
  let isOpen: PromiseWithResolvers<void> | undefined;
  const fetching: AppOptions['fetch'] = async (url, init) => {
    if (url.endsWith('/events')) await isOpen?.promise;
    return states.fetch(url, init);
  };
  const { app, home, thing, lamp } = await aLamp({ fetch: fetching });
  home.close();
  isOpen = Promise.withResolvers();
  states.hold();
  const opening = app.openHome(home.id);
  await until(() => states.isHeld || undefined);
  await thing.reportState({ on: true });
  const live = new Promise<void>(resolve => app.onStream(state => state === 'live' && resolve()));
  isOpen.resolve();
  await live;
  states.letGo();
  const opened = await opening;
  await until(() => (opened.device(lamp.id)?.reported.on ? true : undefined));
});
