import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnDevices, type DeviceAction, readDeviceAction } from '#contract/deviceBulk.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Project } from '#contract/project.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { manyDevices } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aFleet, hearing, suspendedOf } from '#test/fleet.ts';
import { until } from '#test/until.ts';
import { aWorld, type SignedIn, type World } from '#test/world.ts';
import { actOnDevicesJob, stepSize } from './bulkJob.ts';
import { insertAction } from './bulkStore.ts';

let world: World;
let owner: SignedIn;
let project: Project;

beforeAll(async () => {
  world = await aWorld();
  owner = await world.aDeveloper();
  project = await world.aProject(owner);
});
afterAll(() => world.end());

type Body = BodyOf<typeof actOnDevices>;
const attempt = { isLast: false, signal: undefined };
const params = () => ({ projectId: project.id });
const doAll = (body: Body, by = owner) => by.client.call(actOnDevices, { params: params(), body });
const finished = (id: string): Promise<DeviceAction> =>
  until(async () => {
    const action = await owner.client.call(readDeviceAction, { params: { ...params(), actionId: id } });
    return action.state === 'running' ? undefined : action;
  });

describe('an action on all that match', () => {
  it('reaches each of them once, and no other', async () => {
    const { deviceClass, ids } = await aFleet(world, owner, project.id, 2 * stepSize + 17);
    const other = await aFleet(world, owner, project.id, 5);
    const { heard, end } = hearing(world, ids);
    const started = await doAll({ action: 'suspend', matching: { deviceClass } });
    expect(started).toMatchObject({ state: 'running', total: ids.length, matching: { deviceClass } });
    expect(await finished(started.id)).toMatchObject({ state: 'done', done: ids.length, total: ids.length });
    end();
    expect(await suspendedOf(world, project.id, deviceClass)).toEqual({
      count: ids.length,
      revisions: ids.length * 2,
    });
    expect((await suspendedOf(world, project.id, other.deviceClass))?.count).toBe(0);
    expect([...heard.values()].every(notices => notices.length === 1)).toBe(true);
    expect(heard.size).toBe(ids.length);
  });

  it('takes the filters of the list', async () => {
    const { deviceClass, ids } = await aFleet(world, owner, project.id, 30);
    await doAll({ action: 'suspend', ids: ids.slice(0, 10) });
    const matching = { deviceClass, suspended: false, search: 'TAG 2' };
    // `tag 2` and `tag 20` to `tag 29`; the first ten are suspended.
    const { id, total } = await doAll({ action: 'delete', matching });
    expect(total).toBe(10);
    expect(await finished(id)).toMatchObject({ done: 10 });
    const left = await world.platform.db.many(sql`select 1 from devices where device_class = ${deviceClass}`);
    expect(left).toHaveLength(20);
  });

  it('leaves alone what came after it was asked for', async () => {
    const { deviceClass } = await aFleet(world, owner, project.id, 5);
    const actionId = await aRunningAction(deviceClass, 5);
    world.pass(5);
    await manyDevices(world, project.id, deviceClass, 5);
    await actOnDevicesJob(world.platform)({ projectId: project.id, actionId }, attempt);
    expect(await finished(actionId)).toMatchObject({ done: 5 });
    expect((await suspendedOf(world, project.id, deviceClass))?.count).toBe(5);
  });

  it('of nothing is done at once', async () => {
    const { deviceClass } = await aFleet(world, owner, project.id, 0);
    const started = await doAll({ action: 'delete', matching: { deviceClass } });
    expect(await finished(started.id)).toMatchObject({ state: 'done', total: 0, done: 0 });
  });

  it('of a class that is not there is refused', async () => {
    await failing(doAll({ action: 'delete', matching: { deviceClass: 'none' } }), 'DEVICE_CLASS_NOT_FOUND');
    await failing(finished('act_none'), 'ACTION_NOT_FOUND');
  });

  it('goes on where it broke, wherever that was, and meets no device twice', async () => {
    const { deviceClass, ids } = await aFleet(world, owner, project.id, 3 * stepSize);
    const action = await aRunningAction(deviceClass, ids.length);
    // The database goes away at every third thing that is asked of it.
    let asked = 0;
    const breaking = <D extends Db>(db: D): D => ({
      ...db,
      run: async query => {
        asked += 1;
        if (asked % 3 === 0) throw new Error('broken off');
        return db.run(query);
      },
    });
    const { db } = world.platform;
    const broken = {
      ...breaking(db),
      tx: <T>(work: (tx: Db) => Promise<T>) => db.tx(tx => work(breaking(tx))),
    };
    const job = actOnDevicesJob({ ...world.platform, db: broken });
    let tries = 0;
    while (
      await job({ projectId: project.id, actionId: action }, attempt).then(
        () => false,
        () => true,
      )
    )
      tries += 1;
    expect(tries).toBeGreaterThan(1);
    expect(await finished(action)).toMatchObject({ state: 'done', done: ids.length });
    expect(await suspendedOf(world, project.id, deviceClass)).toEqual({
      count: ids.length,
      revisions: ids.length * 2,
    });
    const entries = await db.many(
      sql`select 1 from log_entries where stream = 'system' and subject = any(${ids})`,
    );
    expect(entries).toHaveLength(ids.length);
  });

  it('is done once by two that take it up at the same time', async () => {
    const { deviceClass, ids } = await aFleet(world, owner, project.id, 3 * stepSize);
    const action = await aRunningAction(deviceClass, ids.length);
    const payload = { projectId: project.id, actionId: action };
    const job = actOnDevicesJob(world.platform);
    await Promise.all([job(payload, attempt), job(payload, attempt), job(payload, attempt)]);
    expect(await finished(action)).toMatchObject({ state: 'done', done: ids.length });
    expect((await suspendedOf(world, project.id, deviceClass))?.revisions).toBe(ids.length * 2);
  });

  it('that cannot be done says so', async () => {
    const { deviceClass, ids } = await aFleet(world, owner, project.id, 3);
    const action = await aRunningAction(deviceClass, ids.length);
    const tx = () => Promise.reject(new Error('never'));
    const quiet = { ...world.platform, db: { ...world.platform.db, tx }, log: () => undefined };
    await actOnDevicesJob(quiet)({ projectId: project.id, actionId: action }, { ...attempt, isLast: true });
    expect(await finished(action)).toMatchObject({ state: 'failed', error: expect.any(String) });
  });

  it('that is stopped with the server is taken up again', async () => {
    const { deviceClass, ids } = await aFleet(world, owner, project.id, 2 * stepSize);
    const action = await aRunningAction(deviceClass, ids.length);
    const job = actOnDevicesJob(world.platform);
    await job({ projectId: project.id, actionId: action }, { isLast: false, signal: AbortSignal.abort() });
    expect(await finished(action)).toMatchObject({ state: 'done', done: ids.length });
  });
});

/** One that no job knows of yet. */
async function aRunningAction(deviceClass: string, total: number): Promise<string> {
  const id = world.platform.newId('act');
  const actor = { callerType: 'developer', id: owner.developer.id, displayName: 'Ada' } as const;
  await insertAction(world.platform.db, {
    ...{ id, projectId: project.id, action: 'suspend', state: 'running', total, now: world.now() },
    asked: { matching: { deviceClass }, actor },
  });
  return id;
}
