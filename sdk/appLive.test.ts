import { expect, it, vi } from 'vitest';
import { createChannel } from '#contract/channel.ts';
import { editDevice } from '#contract/device.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aBundle } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome } from '#test/homes.ts';
import { password, phonesOf } from '#test/phones.ts';
import { until } from '#test/until.ts';
import type { LiveDevice } from './app/liveDevice.ts';
import type { StreamSocketClass } from './app/readWebSocket.ts';
import type { AppOptions } from './app.ts';

const at = aGatewayWorld();
const { signedIn, aLamp } = phonesOf(at);

it('a change is shown at once, reaches the device, and is reverted if it is refused', async () => {
  const { lamp, thing, made } = await aLamp();
  thing.onDelta(({ state }) => void thing.reportState(state));
  const setting = lamp.set({ on: true });
  expect([lamp.desired, lamp.shown]).toEqual([{ on: true }, { on: true }]);
  await setting;
  await until(() => (lamp.reported.on === true ? true : undefined));
  expect(lamp.delta).toEqual({});
  await at.owner.client.call(editDevice, { params: { deviceId: made.id }, body: { suspended: true } });
  const refused = lamp.set({ on: false });
  expect(lamp.shown.on).toBe(false);
  await expect(refused).rejects.toMatchObject({ reason: 'DEVICE_SUSPENDED' });
  expect(lamp.shown.on).toBe(true);
});

it('switching on, off and on again ends on, at each moment as tapped last', async () => {
  const { app, lamp } = await aLamp();
  const [on, off] = [{ on: true }, { on: false }];
  const shown: unknown[] = [];
  lamp.onChange(() => shown.push(lamp.shown.on));
  const set = [lamp.set(on), lamp.set(off), lamp.set(on)];
  expect(shown).toEqual([true, false, true]);
  await Promise.all(set);
  expect(shown.slice(2)).not.toContain(false);
  const { desired } = await app.call('readMyDeviceState', { params: { deviceId: lamp.id } });
  expect([lamp.shown.on, desired]).toEqual([true, { on: true }]);
});

it('a change is sent as it was when it was made, though the app goes on with the object', async () => {
  const { app, lamp } = await aLamp();
  const patch = { on: true, level: 1 };
  const first = lamp.set(patch);
  patch.level = 2;
  expect(lamp.shown.level).toBe(1);
  const second = lamp.set({ on: false });
  await Promise.all([first, second]);
  const { desired } = await app.call('readMyDeviceState', { params: { deviceId: lamp.id } });
  expect(desired).toEqual({ on: false, level: 1 });
});

it('a report of the device is not undone by an earlier answer that arrives late', async () => {
  const made: { lamp?: LiveDevice } = {};
  const late: AppOptions['fetch'] = async (url, init) => {
    const answer = await fetch(url, init);
    if (init?.method === 'PATCH') await until(() => (made.lamp?.reported.on === true ? true : undefined));
    return answer;
  };
  const { lamp, thing } = await aLamp({ fetch: late });
  made.lamp = lamp;
  thing.onDelta(({ state }) => void thing.reportState(state));
  await lamp.set({ on: true });
  expect([lamp.reported, lamp.delta]).toEqual([{ on: true }, {}]);
});

it('events are received as they happen, also after the connection was cut', async () => {
  let cut: (() => void) | undefined;
  const cutting: AppOptions['fetch'] = async (url, init) => {
    const line = new AbortController();
    if (url.endsWith('/events')) cut = () => line.abort();
    const signal = init?.signal ? AbortSignal.any([init.signal, line.signal]) : line.signal;
    return fetch(url, { ...init, signal });
  };
  const { app, home, lamp, thing } = await aLamp({ fetch: cutting });
  const heard: string[] = [];
  home.onEvent(({ name }) => heard.push(name));
  const states: string[] = [];
  app.onStream(state => states.push(state));
  await until(() => (states.at(-1) === 'live' ? true : undefined));
  await thing.sendEvent('first');
  await until(() => (heard.includes('first') ? true : undefined));
  cut?.();
  // `waiting` may only last a moment, so the current state could miss it.
  await until(() => states.includes('waiting') || undefined);
  await thing.sendEvent('second');
  await thing.reportState({ on: true });
  await until(() => (heard.includes('second') && lamp.reported.on ? true : undefined));
  expect(heard).toEqual(['first', 'second']);
});

it('an app receives nothing while signed out, and continues after signing in again', async () => {
  const { app, email, thing } = await aLamp();
  const heard: string[] = [];
  app.onMessage(message => message.type === 'event' && heard.push(message.name));
  const states: string[] = [];
  app.onStream(state => states.push(state));
  await until(() => (states.at(-1) === 'live' ? true : undefined));
  await app.signOut();
  expect(states.at(-1)).toBe('off');
  await thing.sendEvent('unheard');
  await app.signIn(email, password);
  await until(() => (states.at(-1) === 'live' ? true : undefined));
  await thing.sendEvent('heard');
  await until(() => (heard.length > 0 ? true : undefined));
  expect(heard).toEqual(['heard']);
});

it('without a streaming fetch, a WebSocket opened with a ticket receives the same, also after it was cut', async () => {
  const opened: { url: string; close(): void }[] = [];
  class Watched extends WebSocket {
    constructor(url: string) {
      super(url);
      opened.push(this);
    }
  }
  vi.stubGlobal('TextDecoderStream', undefined);
  const { app, home, thing } = await aLamp({ WebSocket: Watched as StreamSocketClass }).finally(() =>
    vi.unstubAllGlobals(),
  );
  const heard: string[] = [];
  home.onEvent(({ name }) => heard.push(name));
  const states: string[] = [];
  app.onStream(state => states.push(state));
  await until(() => (states.at(-1) === 'live' ? true : undefined));
  await thing.sendEvent('first');
  await until(() => (heard.includes('first') ? true : undefined));
  opened[0]?.close();
  // `waiting` may only last a moment, so the current state could miss it.
  await until(() => states.includes('waiting') || undefined);
  await thing.sendEvent('second');
  await until(() => (heard.includes('second') ? true : undefined));
  expect(heard).toEqual(['first', 'second']);
  expect(opened.map(({ url }) => [...new URL(url).searchParams.keys()])).toEqual([
    ['ticket'],
    ['ticket', 'lastEventId'],
  ]);
});

it('all members see who joins a home, and which device leaves it', async () => {
  const { home, lamp } = await aLamp();
  const other = await signedIn();
  await home.invite({ email: other.email, role: 'member' });
  const [invitation] = await other.app.invitations();
  await other.app.accept({ invitationId: invitation?.id ?? '' });
  const seen = await other.app.openHome(home.id);
  expect(seen.devices.map(({ id }) => id)).toEqual([lamp.id]);
  await until(() => (home.about.memberCount === 2 ? true : undefined));
  await lamp.release();
  await until(() => (seen.devices.length === 0 && home.devices.length === 0 ? true : undefined));
  await home.removeMember((await other.app.user())?.id ?? '');
  await until(() => (seen.isOpen ? undefined : true));
});

it('a home is opened with a handful of calls, however many devices it has', async () => {
  const called: string[] = [];
  const noting: AppOptions['fetch'] = (url, init) => {
    called.push(new URL(url).pathname);
    return fetch(url, init);
  };
  const { app } = await signedIn({ fetch: noting });
  const { id } = await app.createHome('Hotel', 'Europe/Oslo');
  const made = await Promise.all(Array.from({ length: 9 }, () => at.device()));
  await inHome(
    at.world,
    id,
    made.map(({ id }) => id),
  );
  const [first] = made;
  await at.world.platform.db.run(sql`
    insert into device_states (project_id, device_id, reported, reported_at)
    values (${at.projectId}, ${first?.id}, '{"on": true}', now())`);
  called.length = 0;
  const home = await app.openHome(id);
  expect(home.devices).toHaveLength(9);
  expect(home.device(first?.id ?? '')?.reported).toEqual({ on: true });
  // If the stream opens meanwhile, the home is read once more.
  expect(called.length).toBeLessThanOrEqual(8);
});

it('what a device reports while its home is opened is not lost', async () => {
  const heard: string[] = [];
  let report: (() => Promise<unknown>) | undefined;
  let reported: Promise<unknown> | undefined;
  const late: AppOptions['fetch'] = async (url, init) => {
    const answer = await fetch(url, init);
    // Also delays reads that the stream causes.
    if (new URL(url).pathname.endsWith('/states')) {
      reported ??= report?.();
      await reported;
    }
    return answer;
  };
  const { app, home, lamp, thing } = await aLamp({ fetch: late });
  app.onMessage(({ type }) => heard.push(type));
  report = async () => {
    await thing.reportState({ on: true });
    await until(() => heard.includes('state') || undefined);
  };
  const opened = await app.openHome(home.id);
  expect(opened.device(lamp.id)?.reported).toEqual({ on: true });
});

it('once read, an update is kept up to date: what it waits for, and the answer of another member', async () => {
  const { home, lamp, thing, made } = await aLamp();
  expect(lamp.update).toBeUndefined();
  expect(await lamp.readUpdate()).toBeNull();
  const { id: bundleId } = await aBundle(at.world, made);
  const { projectId, deviceClass } = made;
  await at.owner.client.call(createChannel, { body: { projectId, deviceClass, bundleId } });
  await thing.reportProgress({ state: 'ready', waitsFor: 'consent', sequence: 1 });
  await until(() => (lamp.update?.waitsFor === 'consent' ? true : undefined));
  const other = await signedIn();
  await home.invite({ email: other.email, role: 'member' });
  const [invitation] = await other.app.invitations();
  await other.app.accept({ invitationId: invitation?.id ?? '' });
  const seen = (await other.app.openHome(home.id)).device(lamp.id);
  await seen?.answerUpdate({ sequence: 1, answer: 'install' });
  expect(seen?.update?.consent).toMatchObject({ answer: 'install' });
  await until(() => (lamp.update?.consent?.answer === 'install' ? true : undefined));
});
