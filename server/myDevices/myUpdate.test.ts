import { beforeAll, expect, it } from 'vitest';
import type { App } from '#contract/app.ts';
import { answerMyUpdate, readMyUpdate, releaseMyDevice } from '#contract/appApi/device.ts';
import { createMyHome } from '#contract/appApi/home.ts';
import { createChannel } from '#contract/channel.ts';
import { readDeviceFirmware } from '#contract/deviceFirmware.ts';
import type { TargetFrame } from '#contract/deviceProtocol.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aBundle } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome } from '#test/homes.ts';
import { hourMs } from '#test/world.ts';

const at = aGatewayWorld();
let app: App;
beforeAll(async () => {
  const params = { projectId: at.projectId };
  await at.owner.client.call(editProject, { params, body: { enablePermissionBasedAccessControl: true } });
  app = await anApp(at.owner, at.projectId);
});

/** A connected device in a home, which waits for consent to an update. */
async function aLampThatAsks() {
  const user = await anEndUser(at.world, app);
  const home = await user.client.call(createMyHome, { body: { name: 'Home', timeZone: 'Europe/Oslo' } });
  const device = await at.device();
  await inHome(at.world, home.id, [device.id]);
  const { projectId, deviceClass } = device;
  const { id: bundleId } = await aBundle(at.world, device, { main: '1.1' });
  await at.owner.client.call(createChannel, { body: { projectId, deviceClass, bundleId } });
  const here = await at.connect(device);
  await here.listen('target');
  await here.next('target');
  await here.say('progress', { state: 'ready', sequence: 1, waitsFor: 'consent' });
  const params = { deviceId: device.id };
  return {
    ...{ user, device, here, params, homeId: home.id },
    answer: (body: object) => user.client.call(answerMyUpdate, { params, body: body as never }),
    told: async () => (await here.next('target')).payload as TargetFrame,
    [Symbol.asyncDispose]: () => here[Symbol.asyncDispose](),
  };
}

const inHours = (hours: number) => new Date(at.world.now().getTime() + hours * hourMs).toISOString();

it('an update that waits for consent is seen, put off and approved in the app, and the device is told', async () => {
  await using lamp = await aLampThatAsks();
  const { user, params, answer, told } = lamp;
  expect(await user.client.call(readMyUpdate, { params })).toEqual({
    ...{ sequence: 1, state: 'ready', waitsFor: 'consent', answerable: true },
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

it('an answer is about one update, within bounds, before the installation, and of who may configure', async () => {
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

it('what a home answered is forgotten when the device leaves it', async () => {
  await using lamp = await aLampThatAsks();
  const { user, params, answer } = lamp;
  await answer({ sequence: 1, answer: 'install' });
  await user.client.call(releaseMyDevice, { params });
  const { current } = await at.owner.client.call(readDeviceFirmware, { params });
  expect(current).not.toHaveProperty('consent');
});
