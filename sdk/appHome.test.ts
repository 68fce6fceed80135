import { expect, it } from 'vitest';
import { editProject } from '#contract/project.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { phonesOf } from '#test/phones.ts';
import { until } from '#test/until.ts';
import type { LiveHome } from './app/liveHome.ts';
import type { App, AppOptions } from './app.ts';

const at = aGatewayWorld();
const { signedIn, aLamp } = phonesOf(at);

/** Delays the answers to reads of this path: they are held back from `hold` until `letGo`. */
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
    holdReadOf: async (home: LiveHome) => {
      gate.hold();
      await until(() => {
        void home.refresh();
        return isHeld || undefined;
      });
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

/** Resolves once everything that happens is received. */
const live = (app: App) => new Promise<void>(resolve => app.onStream(state => state === 'live' && resolve()));

it('a device claimed while its home is read remains the same object', async () => {
  const list = late('/devices');
  const { app } = await signedIn({ fetch: list.fetch });
  const home = await app.openHome((await app.createHome('Home', 'Europe/Oslo')).id);
  const { claimCode } = await at.device();
  await list.holdReadOf(home);
  const lamp = await home.claim(claimCode ?? '');
  list.letGo();
  await home.refresh();
  expect(home.device(lamp.id)).toBe(lamp);
});

it('a device that leaves while its home is read is not brought back by the answer', async () => {
  const list = late('/devices');
  const { home, lamp, thing } = await aLamp({ fetch: list.fetch });
  // By then it has received everything that happened before.
  await thing.reportState({ on: true });
  await until(() => (lamp.reported.on ? true : undefined));
  await home.refresh();
  await list.holdReadOf(home);
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
  const isLive = live(app);
  isOpen.resolve();
  await isLive;
  states.letGo();
  const opened = await opening;
  await until(() => (opened.device(lamp.id)?.reported.on ? true : undefined));
});

it('a device that connects while its home is read is not reset by the answer', async () => {
  const list = late('/devices');
  const { home, lamp, thing } = await aLamp({ fetch: list.fetch });
  await until(() => lamp.isConnected || undefined);
  thing.disconnect();
  await until(() => !lamp.isConnected || undefined);
  await list.holdReadOf(home);
  thing.connect();
  await until(() => lamp.isConnected || undefined);
  const told: boolean[] = [];
  lamp.onChange(() => told.push(lamp.isConnected));
  list.letGo();
  await home.refresh();
  expect([lamp.isConnected, told]).toEqual([true, []]);
});

it('a home that is deleted while it is read is not brought back by the answer', async () => {
  const list = late('/devices');
  const { app, home } = await aLamp({ fetch: list.fetch });
  list.hold();
  const reading = home.refresh();
  await until(() => list.isHeld || undefined);
  await app.call('deleteMyHome', { params: { homeId: home.id } });
  await until(() => !home.isOpen || undefined);
  list.letGo();
  await reading;
  expect(home.devices).toEqual([]);
});

it('a claimed device is returned even if its state cannot be read at once', async () => {
  const cutting: AppOptions['fetch'] = async (url, init) => {
    if (new URL(url).pathname.endsWith('/state')) throw new TypeError('The line was cut.');
    return fetch(url, init);
  };
  const { lamp, thing } = await aLamp({ fetch: cutting });
  await thing.reportState({ on: true });
  await until(() => (lamp.reported.on ? true : undefined));
});

it('the last of two changes wins, however slow the first call is', async () => {
  let first: PromiseWithResolvers<void> | undefined;
  const slow: AppOptions['fetch'] = async (url, init) => {
    const isFirst = init?.method === 'PATCH' && !first;
    if (isFirst) {
      first = Promise.withResolvers();
      await first.promise;
    }
    return fetch(url, init);
  };
  const { lamp, thing } = await aLamp({ fetch: slow });
  const one = lamp.set({ level: 1 });
  const two = lamp.set({ level: 2 });
  expect(lamp.shown).toEqual({ level: 2 });
  await until(() => (first ? true : undefined));
  // Long enough for the second call to have arrived first.
  await thing.reportState({ seen: true });
  await until(() => (lamp.reported.seen ? true : undefined));
  first?.resolve();
  await Promise.all([one, two]);
  expect(lamp.desired).toEqual({ level: 2 });
});

it('claiming a device does not read the updates of other devices again', async () => {
  const read: string[] = [];
  const counting: AppOptions['fetch'] = (url, init) => {
    read.push(new URL(url).pathname);
    return fetch(url, init);
  };
  const { app, home, lamp } = await aLamp({ fetch: counting });
  await live(app);
  await lamp.readUpdate();
  read.length = 0;
  const { claimCode } = await at.device({ name: 'Fan' });
  const fan = await home.claim(claimCode ?? '');
  // By then the message about the claim has arrived, and the home was read because of it.
  await until(() => read.some(path => path.endsWith('/states')) || undefined);
  await home.refresh();
  expect(home.devices).toEqual([fan, lamp]);
  expect(read.filter(path => path.endsWith('/update'))).toEqual([]);
});

it('the update is read again after a reset of the stream', async () => {
  const read: string[] = [];
  let reset = () => {};
  const told: AppOptions['fetch'] = async (url, init) => {
    read.push(new URL(url).pathname);
    const answer = await fetch(url, init);
    if (!url.endsWith('/events')) return answer;
    const telling = new TransformStream<Uint8Array, Uint8Array>({
      start: controller => {
        reset = () => controller.enqueue(new TextEncoder().encode('event: reset\ndata: {}\n\n'));
      },
    });
    return new Response(answer.body?.pipeThrough(telling), answer);
  };
  const { app, lamp } = await aLamp({ fetch: told });
  await live(app);
  await lamp.readUpdate();
  read.length = 0;
  reset();
  await until(() => read.some(path => path.endsWith('/update')) || undefined);
});

it('provisioning again after a lost answer returns the first device, and two concurrent calls create two', async () => {
  const params = { projectId: at.projectId };
  await at.owner.client.call(editProject, { params, body: { onDemandProvisioning: true } });
  let isLost = true;
  const losing: AppOptions['fetch'] = async (url, init) => {
    const answer = await fetch(url, init);
    if (init?.method !== 'POST' || !new URL(url).pathname.endsWith('/devices') || !isLost) return answer;
    isLost = false;
    throw new TypeError('fetch failed');
  };
  const { app } = await signedIn({ fetch: losing });
  const home = await app.openHome((await app.createHome('Home', 'Europe/Oslo')).id);
  const { id: deviceClass } = await at.deviceClass();
  await expect(home.provision(deviceClass)).rejects.toMatchObject({ reason: 'CONNECTION_ERROR' });
  await home.provision(deviceClass);
  await home.refresh();
  expect(home.devices).toHaveLength(1);
  await Promise.all([home.provision(deviceClass), home.provision(deviceClass)]);
  expect(home.devices).toHaveLength(3);
});
