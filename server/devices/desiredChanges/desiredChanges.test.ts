import { describe, expect, it } from 'vitest';
import { listMyDesiredChanges, releaseMyDevice, setMyDesired } from '#contract/appApi/device.ts';
import { type DesiredChange, listDesiredChanges } from '#contract/desiredChange.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { deleteUser } from '#contract/user.ts';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { keepHouse } from '#server/infra/jobs/housekeeping.ts';
import { anApp } from '#test/apps.ts';
import { attempt } from '#test/attempt.ts';
import { anEndUser } from '#test/endUsers.ts';
import { homeOf } from '#test/eventStreams.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { inHome } from '#test/homes.ts';
import { until } from '#test/until.ts';
import { untilWaiting } from '#test/untilWaiting.ts';
import { desiredChanges } from './slice.ts';

const at = aGatewayWorld();

interface Device {
  id: string;
}

const changesOf = async ({ id: deviceId }: Device) =>
  (await at.owner.client.call(listDesiredChanges, { params: { deviceId } })).items;
const stagesOf = async (device: Device) =>
  (await changesOf(device)).map(({ patch, stage }) => [patch, stage]);
const desire = ({ id: deviceId }: Device, desired: DesiredChange['patch']) =>
  at.owner.client.call(writeDesired, { params: { deviceId }, body: { desired } });
const untilStage = (device: Device, stage: DesiredChange['stage']) =>
  until(async () => (await changesOf(device)).find(one => one.stage === stage));

/** An end user with a device in their home. */
async function aLamp() {
  const app = await anApp(at.owner, at.projectId);
  const user = await anEndUser(at.world, app);
  const device = await at.device();
  await inHome(at.world, await homeOf(at, user), [device.id]);
  return { user, device, params: { deviceId: device.id } };
}

describe('a change of a desired state', () => {
  it('is traced from the call of an app to the device and back', async () => {
    const { user, device, params } = await aLamp();
    await user.client.call(setMyDesired, { params, body: { on: true } });
    const by = { callerType: 'user', id: user.id, displayName: user.name };
    const [stored] = await changesOf(device);
    expect(stored).toMatchObject({ version: 1, patch: { on: true }, stage: 'stored', setBy: by });
    expect(stored?.requestId).toMatch(/^req_/);
    await using lamp = await at.connect(device);
    await lamp.listen('desired', 'delta');
    await untilStage(device, 'acknowledged');
    await lamp.say('state', { on: true });
    const [done] = await changesOf(device);
    expect(done?.stage).toBe('reported');
    const { calledAt = '', createdAt = '', sentAt = '', acknowledgedAt = '', reportedAt = '' } = done ?? {};
    const times = [calledAt, createdAt, sentAt, acknowledgedAt, reportedAt];
    expect(times.every(Boolean)).toBe(true);
    expect(times.toSorted()).toEqual(times);
    expect((await user.client.call(listMyDesiredChanges, { params })).items).toEqual([done]);
  });

  it('is kept beside another one that was made at the same moment, also if they are the first', async () => {
    const { user, device, params } = await aLamp();
    let setting: Promise<unknown> | undefined;
    await at.world.platform.db.tx(async tx => {
      await tx.run(sql`
        insert into device_states (project_id, device_id, desired, desired_at, desired_version)
        values (${at.projectId}, ${device.id}, '{"on":true}', now(), 1)`);
      setting = user.client.call(setMyDesired, { params, body: { level: 2 } });
      await untilWaiting(at.world, 1);
    });
    await setting;
    expect((await at.stateOf(device)).desired).toEqual({ on: true, level: 2 });
  });

  it('that asks for the removal of a member stays open beside a later one', async () => {
    const device = await at.device();
    await using hardware = await at.connect(device);
    await hardware.say('state', { a: 1 });
    await desire(device, { a: null });
    await desire(device, { a: null, b: 2 });
    expect(await stagesOf(device)).toEqual([
      [{ b: 2 }, 'stored'],
      [{ a: null }, 'stored'],
    ]);
    await hardware.say('state', { a: null });
    expect(await stagesOf(device)).toEqual([
      [{ b: 2 }, 'stored'],
      [{ a: null }, 'reported'],
    ]);
  });

  it('is shown to an app without the developer who made it', async () => {
    const { user, device, params } = await aLamp();
    await desire(device, { on: true });
    const [seen] = (await user.client.call(listMyDesiredChanges, { params })).items;
    expect(seen?.setBy).toMatchObject({ callerType: 'developer', id: at.projectId });
    expect(seen).not.toHaveProperty('requestId');
  });

  it('is reported once the device has reported all of it, regardless of other desired values', async () => {
    const device = await at.device();
    await using hardware = await at.connect(device);
    await hardware.say('state', { mode: 'off' });
    await desire(device, { fan: { on: true, speed: 2 } });
    await desire(device, { fan: { on: true, speed: 2 }, mode: 'off' });
    await desire(device, { fan: { on: true, speed: 2 }, mode: 'heat' });
    await hardware.say('state', { fan: { on: true } });
    expect(await stagesOf(device)).toEqual([
      [{ mode: 'heat' }, 'stored'],
      [{ mode: 'off' }, 'unchanged'],
      [{ fan: { on: true, speed: 2 } }, 'stored'],
    ]);
    await hardware.say('state', { fan: { speed: 2 }, other: 1 });
    expect(await stagesOf(device)).toEqual([
      [{ mode: 'heat' }, 'stored'],
      [{ mode: 'off' }, 'unchanged'],
      [{ fan: { on: true, speed: 2 } }, 'reported'],
    ]);
  });

  it('is replaced by a later one that reverts it, but not by one of other values', async () => {
    const device = await at.device();
    await desire(device, { level: 1 });
    await desire(device, { level: 1, on: true });
    await desire(device, { level: 2, on: true });
    await desire(device, { level: 2 });
    expect(await stagesOf(device)).toEqual([
      [{ on: null }, 'unchanged'],
      [{ level: 2 }, 'stored'],
      [{ on: true }, 'replaced'],
      [{ level: 1 }, 'replaced'],
    ]);
    // Several stored changes are sent to the device as one.
    await desire(device, { level: 2, on: true });
    await using hardware = await at.connect(device);
    await hardware.listen('delta');
    await until(async () => {
      const stages = (await stagesOf(device)).map(([, stage]) => stage);
      return stages.filter(stage => stage === 'acknowledged').length === 2 || undefined;
    });
  });

  it('that is fetched over HTTP is sent, and acknowledged only by the report', async () => {
    const device = await at.device();
    await desire(device, { on: true });
    const authorization = `Basic ${btoa(`${device.id}:${device.apiKey}`)}`;
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${at.world.url}/device/v1/${path}`, { ...init, headers: { authorization, ...init.headers } });
    expect(await (await call('desired')).json()).toEqual({ version: 1, desired: { on: true } });
    await untilStage(device, 'sent');
    const headers = { 'content-type': 'application/json' };
    await call('state', { method: 'POST', body: '{"on":true}', headers });
    const [done] = await changesOf(device);
    expect(done).toMatchObject({ stage: 'reported', sentAt: expect.any(String) });
    expect(done).not.toHaveProperty('acknowledgedAt');
  });
});

describe('the history of changes', () => {
  it('keeps the latest thousand, for thirty days', async () => {
    const device = await at.device();
    await desire(device, { n: 0 });
    const { db } = at.world.platform;
    await db.run(sql`
      update device_states set desired_version = 1000 where device_id = ${device.id}`);
    await desire(device, { n: 1 });
    expect((await changesOf(device)).map(({ version }) => version)).toEqual([1001]);
    await db.run(sql`
      update desired_changes set created_at = ${new Date(at.world.now().getTime() - 31 * dayMs)}
      where device_id = ${device.id}`);
    const { clock, log } = at.world.platform;
    await keepHouse({ db, clock, log, chores: desiredChanges.chores ?? [] })({}, attempt);
    expect(await changesOf(device)).toEqual([]);
  });

  it('is deleted when the device leaves its home, and loses the names of erased users', async () => {
    const { user, device, params } = await aLamp();
    const { user: guest } = await aLamp();
    const { db } = at.world.platform;
    await user.client.call(setMyDesired, { params, body: { on: true } });
    await user.client.call(setMyDesired, { params, body: { on: false } });
    await db.run(sql`
      update desired_changes set set_by = jsonb_set(set_by, '{id}', to_jsonb(${guest.id}::text))
      where device_id = ${device.id} and version = 2`);
    const { client } = at.owner;
    await client.call(deleteUser, { params: { userId: guest.id }, query: { homes: 'delete' } });
    expect((await changesOf(device)).map(({ setBy }) => setBy.displayName)).toEqual(['[erased]', user.name]);
    await user.client.call(releaseMyDevice, { params });
    await until(async () => (await changesOf(device)).length === 0 || undefined);
  });
});
