import { expect, it } from 'vitest';
import type { App } from '#contract/app.ts';
import { listMyAlerts } from '#contract/appApi/alert.ts';
import {
  editMyDevice,
  listMyCommands,
  listMyDeviceEvents,
  listMyDevices,
  provisionDevice,
  readMyCommand,
  readMyDevice,
  readMyDeviceClass,
  readMyDeviceState,
  releaseMyDevice,
  sendMyCommand,
  setMyDesired,
} from '#contract/appApi/device.ts';
import { createMyHome } from '#contract/appApi/home.ts';
import { sendCommand } from '#contract/command.ts';
import { editDevice } from '#contract/device.ts';
import { editProject } from '#contract/project.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { keepHouse } from '#server/infra/jobs/housekeeping.ts';
import { slices } from '#server/slices.ts';
import { anApp } from '#test/apps.ts';
import { attempt } from '#test/attempt.ts';
import { anEndUser, type EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome } from '#test/homes.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();
let app: App | undefined;

async function aUser(): Promise<EndUser> {
  app ??= await anApp(at.owner, at.projectId);
  return anEndUser(at.world, app);
}
async function aResident() {
  const user = await aUser();
  const home = await user.client.call(createMyHome, { body: { name: 'Home', timeZone: 'Europe/Oslo' } });
  return { ...user, homeId: home.id };
}
/** A device in the home of a user. */
async function aLamp(given: Parameters<typeof at.device>[0] = {}) {
  const user = await aResident();
  const device = await at.device(given);
  await inHome(at.world, user.homeId, [device.id]);
  return { user, device, params: { deviceId: device.id } };
}
const lately = () => {
  const now = at.world.now().getTime();
  return { begin: new Date(now - hourMs).toISOString(), end: new Date(now + hourMs).toISOString() };
};
const allowProvisioning = (onDemandProvisioning: boolean) =>
  at.owner.client.call(editProject, { params: { projectId: at.projectId }, body: { onDemandProvisioning } });

it('an app sends a command to the device and gets its answer', async () => {
  const { user, device, params } = await aLamp();
  await using lamp = await at.connect(device);
  await lamp.listen('commands/+');
  const sent = await user.client.call(sendMyCommand, { params, body: { name: 'blink', args: { times: 3 } } });
  expect(sent.sentBy).toEqual({ callerType: 'user', id: user.id, displayName: user.name });
  expect(sent.requestId).toMatch(/^req_/);
  expect(Date.parse(sent.calledAt ?? '')).toBeLessThanOrEqual(Date.parse(sent.createdAt));
  const { payload } = await lamp.next('commands/blink');
  expect(payload).toMatchObject({ id: sent.id, args: { times: 3 } });
  await lamp.say(`results/${sent.id}`, { ok: true, result: 'blinked' });
  const of = { params: { ...params, commandId: sent.id } };
  expect(await user.client.call(readMyCommand, of)).toMatchObject({ stage: 'done', result: 'blinked' });
  expect((await user.client.call(listMyCommands, { params })).items).toMatchObject([{ id: sent.id }]);
});

it('a desired state reaches the device as a delta, which ends when the device reports it', async () => {
  const { user, device, params } = await aLamp();
  await using lamp = await at.connect(device);
  await lamp.listen('delta');
  await lamp.next('delta');
  const set = (body: object) => user.client.call(setMyDesired, { params, body: body as never });
  expect(await set({ on: true, colour: { h: 30, s: 90 } })).toMatchObject({ desiredVersion: 1 });
  const changed = await set({ colour: { s: null, h: 40 } });
  expect(changed.desired).toEqual({ on: true, colour: { h: 40 } });
  await until(() =>
    lamp.heard.some(({ payload }) => JSON.stringify(payload).includes('"h":40')) ? true : undefined,
  );
  await lamp.say('state', { on: true, colour: { h: 40 } });
  const state = await user.client.call(readMyDeviceState, { params });
  expect(state).toMatchObject({ reported: { on: true, colour: { h: 40 } }, delta: {} });
  expect(Object.keys(state)).not.toContain('installed');
});

it('two concurrent patches of a desired state both take effect', async () => {
  const { user, params } = await aLamp();
  await Promise.all(
    ['a', 'b', 'c', 'd'].map(name => user.client.call(setMyDesired, { params, body: { [name]: 1 } })),
  );
  const { desired } = await user.client.call(readMyDeviceState, { params });
  expect(desired).toEqual({ a: 1, b: 1, c: 1, d: 1 });
});

it('values that violate the schema, a suspended device and an inactive home are refused', async () => {
  const { user, device, params } = await aLamp({
    deviceClass: (await at.deviceClass({ stateSchema: { properties: { on: { type: 'boolean' } } } })).id,
  });
  const set = (on: unknown) => user.client.call(setMyDesired, { params, body: { on } as never });
  await failing(set('yes'), 'SCHEMA_BROKEN');
  await at.owner.client.call(editDevice, { params, body: { suspended: true } });
  await failing(set(true), 'DEVICE_SUSPENDED');
  await failing(user.client.call(sendMyCommand, { params, body: { name: 'a' } }), 'DEVICE_SUSPENDED');
  await at.owner.client.call(editDevice, { params, body: { suspended: false } });
  await at.world.platform.db.run(sql`update homes set active = false where id = ${user.homeId}`);
  await failing(set(true), 'HOME_INACTIVE');
  await failing(user.client.call(sendMyCommand, { params, body: { name: 'a' } }), 'HOME_INACTIVE');
  expect(await user.client.call(readMyDevice, { params })).toMatchObject({ id: device.id });
});

it('a home sees no messages from before its device joined', async () => {
  const device = await at.device();
  await using lamp = await at.connect(device);
  await lamp.say('events/tested', { _alert: { severity: 'info', text: 'On the bench' } });
  const params = { deviceId: device.id };
  const old = await at.owner.client.call(sendCommand, { params, body: { name: 'test' } });
  at.world.pass(1000);
  const user = await aResident();
  await inHome(at.world, user.homeId, [device.id]);
  at.world.pass(1000);
  await lamp.say('events/opened', { _alert: { severity: 'critical', text: 'Opened' } });
  const sent = await at.owner.client.call(sendCommand, { params, body: { name: 'shut' } });
  const input = { params, query: lately() };
  expect(await user.client.call(listMyDeviceEvents, input)).toMatchObject([{ name: 'opened' }]);
  expect((await user.client.call(listMyAlerts, { params })).items).toMatchObject([
    { key: 'opened', severity: 'critical', text: 'Opened', state: 'open' },
  ]);
  const { items } = await user.client.call(listMyCommands, { params });
  expect(items).toMatchObject([{ id: sent.id, sentBy: { id: at.projectId } }]);
  expect(JSON.stringify(items)).not.toContain(at.owner.developer.id);
  await failing(
    user.client.call(readMyCommand, { params: { ...params, commandId: old.id } }),
    'COMMAND_NOT_FOUND',
  );
});

it('a released device is gone for its former home, and starts anew for the next', async () => {
  const { user, device, params } = await aLamp({ name: 'Lamp' });
  await user.client.call(editMyDevice, { params, body: { name: 'Bedside' } });
  expect(await user.client.call(readMyDevice, { params })).toMatchObject({ name: 'Bedside' });
  await user.client.call(setMyDesired, { params, body: { on: true } });
  const { claimCode } = await user.client.call(releaseMyDevice, { params });
  await failing(user.client.call(readMyDevice, { params }), 'DEVICE_NOT_FOUND');
  expect(await at.read(device)).toMatchObject({ claimCode, name: 'Lamp' });
  const next = await aResident();
  await inHome(at.world, next.homeId, [device.id]);
  expect(await next.client.call(readMyDeviceState, { params })).toMatchObject({ desired: {}, delta: {} });
});

it('an app can read the schemas of a device’s class', async () => {
  const stateSchema = { type: 'object', properties: { on: { type: 'boolean' } } };
  const { user, params } = await aLamp({ deviceClass: (await at.deviceClass({ stateSchema })).id });
  const found = await user.client.call(readMyDeviceClass, { params });
  expect(found).toMatchObject({ stateSchema });
  expect(Object.keys(found)).not.toContain('commandSchemas');
});

it('a device is created on demand once per Idempotency-Key, and only if the project allows it', async () => {
  const user = await aResident();
  const deviceClass = (await at.deviceClass()).id;
  const create = (idempotencyKey: string) =>
    user.client.call(provisionDevice, {
      params: { homeId: user.homeId },
      body: { deviceClass, name: 'Hall' },
      idempotencyKey,
    });
  await failing(create('one'), 'PROVISIONING_OFF');
  await allowProvisioning(true);
  const [first, again] = [await create('two'), await create('two')];
  expect(again).toEqual(first);
  const devices = await user.client.call(listMyDevices, { params: { homeId: user.homeId } });
  expect(devices).toMatchObject([{ id: first.id, name: 'Hall', connectionStatus: 'never' }]);
  await using thing = await at.connect({ id: first.id, apiKey: first.apiKey });
  await thing.say('events/hello', {});
  await allowProvisioning(false);
});

it('a device created on demand that never connects is removed after a day, and others stay', async () => {
  await allowProvisioning(true);
  const user = await aResident();
  const deviceClass = (await at.deviceClass()).id;
  const create = () =>
    user.client.call(provisionDevice, { params: { homeId: user.homeId }, body: { deviceClass } });
  const [used, unused] = [await create(), await create()];
  await using thing = await at.connect({ id: used.id, apiKey: used.apiKey });
  await thing.say('state', { on: true });
  await at.untilIs(used, 'connected');
  const chores = slices.flatMap(slice => slice.chores ?? []);
  const keep = (hours: number) => {
    const later = new Date(at.world.now().getTime() + hours * hourMs);
    const { db, log } = at.world.platform;
    return keepHouse({ db, clock: () => later, log, chores })({}, attempt);
  };
  const ids = async () =>
    (await user.client.call(listMyDevices, { params: { homeId: user.homeId } })).map(({ id }) => id);
  await keep(23);
  expect(new Set(await ids())).toEqual(new Set([used.id, unused.id]));
  await keep(25);
  expect(await ids()).toEqual([used.id]);
  await allowProvisioning(false);
});
