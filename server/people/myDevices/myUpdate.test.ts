import { beforeAll, expect, it } from 'vitest';
import type { App } from '#contract/app.ts';
import { answerMyUpdate, type MyUpdate, readMyUpdate, releaseMyDevice } from '#contract/appApi/device.ts';
import { createMyHome } from '#contract/appApi/home.ts';
import { StreamMessage } from '#contract/appApi/stream.ts';
import { createChannel, editChannel } from '#contract/channel.ts';
import { listDeviceUpdates, readDeviceFirmware } from '#contract/deviceFirmware.ts';
import type { TargetFrame } from '#contract/deviceProtocol.ts';
import { editProject } from '#contract/project.ts';
import { deleteUser } from '#contract/user.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser } from '#test/endUsers.ts';
import { joins, listenBySse, untilPast } from '#test/eventStreams.ts';
import { failing } from '#test/failing.ts';
import { aBundle } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome } from '#test/homes.ts';

const at = aGatewayWorld();
let app: App;
beforeAll(async () => {
  const params = { projectId: at.projectId };
  await at.owner.client.call(editProject, { params, body: { enablePermissionBasedAccessControl: true } });
  app = await anApp(at.owner, at.projectId);
});

/** A connected device in a home, without a target yet. */
async function aLamp() {
  const user = await anEndUser(at.world, app);
  const home = await user.client.call(createMyHome, { body: { name: 'Home', timeZone: 'Europe/Oslo' } });
  const device = await at.device();
  await inHome(at.world, home.id, [device.id]);
  const { projectId, deviceClass } = device;
  const { id: bundleId } = await aBundle(at.world, device, { main: '1.1' });
  const here = await at.connect(device);
  await here.listen('target');
  const params = { deviceId: device.id };
  return {
    async asks() {
      const channel = await at.owner.client.call(createChannel, {
        body: { projectId, deviceClass, bundleId },
      });
      // Its first target is empty.
      while ((await here.next('target')).payload === null);
      await here.say('progress', { state: 'ready', sequence: 1, waitsFor: 'consent' });
      return channel;
    },
    installed: () => here.say('installed', { bundleId, sequence: 1, components: [] }),
    user,
    device,
    here,
    params,
    homeId: home.id,
    answer: (body: object) => user.client.call(answerMyUpdate, { params, body: body as never }),
    told: async () => (await here.next('target')).payload as TargetFrame,
    [Symbol.asyncDispose]: () => here[Symbol.asyncDispose](),
  };
}

async function aLampThatAsks() {
  const lamp = await aLamp();
  return { ...lamp, channel: await lamp.asks() };
}

const inHours = (hours: number) => new Date(at.world.now().getTime() + hours * hourMs).toISOString();

it('an update that waits for consent is shown, postponed and approved in the app, and the device is told', async () => {
  await using lamp = await aLampThatAsks();
  const { user, params, answer, told } = lamp;
  expect(await user.client.call(readMyUpdate, { params })).toEqual({
    sequence: 1,
    state: 'ready',
    waitsFor: 'consent',
    answerable: true,
    versions: [{ component: 'main', version: '1.1' }],
  });
  const shown = () => at.owner.client.call(readDeviceFirmware, { params });
  expect((await shown()).current).toMatchObject({ state: 'ready', waitsFor: 'consent' });
  const until = inHours(20);
  expect(await answer({ sequence: 1, answer: 'later', until })).toMatchObject({
    consent: { answer: 'later', until },
  });
  expect(await told()).toMatchObject({ sequence: 1, consent: { answer: 'later', until } });
  await answer({ sequence: 1, answer: 'install' });
  expect((await told()).consent).toEqual({ answer: 'install' });
  expect((await shown()).current?.consent).toMatchObject({ answer: 'install' });
});

it('an answer needs the current update, valid times and the right to configure, before the installation', async () => {
  await using lamp = await aLampThatAsks();
  const { user, here, params, answer, homeId } = lamp;
  await failing(answer({ sequence: 2, answer: 'install' }), 'STALE');
  for (const hours of [-1, 31 * 24])
    await failing(answer({ sequence: 1, answer: 'later', until: inHours(hours) }), 'INVALID_FIELDS');
  const { db } = at.world.platform;
  const role = (name: string) =>
    db.run(sql`update home_members set role = ${name} where home_id = ${homeId} and user_id = ${user.id}`);
  await role('member');
  await failing(answer({ sequence: 1, answer: 'install' }), 'HOME_RIGHT_MISSING');
  await role('owner');
  const stranger = await anEndUser(at.world, app);
  const body = { sequence: 1, answer: 'install' } as const;
  await failing(stranger.client.call(answerMyUpdate, { params, body }), 'DEVICE_NOT_FOUND');
  await here.say('progress', { state: 'installing', sequence: 1 });
  await failing(answer(body), 'NOTHING_TO_APPROVE');
});

it('a home’s answer is deleted when the device leaves it', async () => {
  await using lamp = await aLampThatAsks();
  const { user, params, answer } = lamp;
  await answer({ sequence: 1, answer: 'install' });
  await user.client.call(releaseMyDevice, { params });
  const { current } = await at.owner.client.call(readDeviceFirmware, { params });
  expect(current).not.toHaveProperty('consent');
});

it('the app is notified when an update is assigned, waits for consent, is answered, and progresses', async () => {
  await using lamp = await aLamp();
  const { user, device, here, answer } = lamp;
  await untilPast(at);
  await using stream = await listenBySse(user);
  const updates = () =>
    stream.told
      .map(told => StreamMessage.parse(told))
      .flatMap(told => (told.type === 'update' ? [told] : []));
  const hear = (isIt: (update: MyUpdate) => boolean) =>
    stream.hear(() => {
      const { update } = updates().at(-1) ?? {};
      return update ? isIt(update) : false;
    });
  await lamp.asks();
  await hear(({ sequence, waitsFor, answerable }) => sequence === 1 && waitsFor === 'consent' && answerable);
  await answer({ sequence: 1, answer: 'install' });
  await hear(({ consent }) => consent?.answer === 'install');
  await here.say('progress', { state: 'installing', sequence: 1, percent: 10 });
  await hear(({ state, answerable }) => state === 'installing' && !answerable);
  const before = updates().length;
  for (const percent of [40, 70]) await here.say('progress', { state: 'installing', sequence: 1, percent });
  await lamp.installed();
  await hear(({ state }) => state === 'done');
  expect(updates().length).toBe(before + 1);
  expect(updates().every(({ deviceId, homeId }) => deviceId === device.id && homeId === lamp.homeId)).toBe(
    true,
  );
});

it('the history of the device shows who answered and when, without the name once the user is erased', async () => {
  await using lamp = await aLampThatAsks();
  const { device, params, answer, channel } = lamp;
  await answer({ sequence: 1, answer: 'later', until: inHours(1) });
  const user = await anEndUser(at.world, app);
  await joins(at, lamp.homeId, user, { role: 'admin' });
  await user.client.call(answerMyUpdate, { params, body: { sequence: 1, answer: 'install' } });
  await lamp.installed();
  const { id: bundleId } = await aBundle(at.world, device, { main: '1.2' });
  await at.owner.client.call(editChannel, { params: { channelId: channel.id }, body: { bundleId } });
  const history = async () => (await at.owner.client.call(listDeviceUpdates, { params })).items;
  const said = { answer: 'install', at: expect.any(String) };
  const [current, first] = await history();
  expect(current).not.toHaveProperty('consent');
  expect(first?.consent).toEqual({ ...said, by: { id: user.id, name: user.name } });
  await at.owner.client.call(deleteUser, { params: { userId: user.id } });
  expect((await history())[1]?.consent).toEqual({ ...said, by: { id: user.id } });
});
