import { describe, expect, it } from 'vitest';
import { actOnDevices, type DeviceAction, readDeviceAction } from '#contract/deviceBulk.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type Db, sql, type Transaction } from '#server/infra/db/sql.ts';
import { bulkStepSize as stepSize } from '#server/infra/jobs/bulkActionJob.ts';
import { attempt } from '#test/attempt.ts';
import { manyDevices } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aFleet, hearing, suspendedOf } from '#test/fleet.ts';
import { anId, appliedImport } from '#test/imports.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { actOnDevicesJob } from './bulkJob.ts';
import { deviceActionStore } from './bulkStore.ts';

const at = aProjectWorld();

type Body = BodyOf<typeof actOnDevices>;
const params = () => ({ projectId: at.projectId });
const doAll = (body: Body, by = at.owner) => by.client.call(actOnDevices, { params: params(), body });
const finished = (id: string): Promise<DeviceAction> =>
  until(async () => {
    const action = await at.owner.client.call(readDeviceAction, { params: { ...params(), actionId: id } });
    return action.state === 'running' ? undefined : action;
  });

describe('an action on all matching devices', () => {
  it('changes each of them once, and no others', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 2 * stepSize + 17);
    const other = await aFleet(at.world, at.owner, at.projectId, 5);
    const { heard, end } = hearing(at.world, ids);
    const started = await doAll({ action: 'suspend', matching: { deviceClass } });
    expect(started).toMatchObject({ state: 'running', total: ids.length, matching: { deviceClass } });
    expect(await finished(started.id)).toMatchObject({ state: 'done', done: ids.length, total: ids.length });
    // The last notices are published after the commit.
    await until(() => heard.size === ids.length || undefined);
    end();
    expect(await suspendedOf(at.world, at.projectId, deviceClass)).toEqual({
      count: ids.length,
      revisions: ids.length * 2,
    });
    expect((await suspendedOf(at.world, at.projectId, other.deviceClass))?.count).toBe(0);
    expect([...heard.values()].every(notices => notices.length === 1)).toBe(true);
  });

  it('uses the filters of the list', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 30);
    await doAll({ action: 'suspend', ids: ids.slice(0, 10) });
    const matching = { deviceClass, suspended: false, search: 'TAG 2' };
    // `tag 2` and `tag 20` to `tag 29`; the first ten are suspended.
    const { id, total } = await doAll({ action: 'delete', matching });
    expect(total).toBe(10);
    expect(await finished(id)).toMatchObject({ done: 10 });
    const left = await at.world.platform.db.many(
      sql`select 1 from devices where device_class = ${deviceClass}`,
    );
    expect(left).toHaveLength(20);
  });

  it('skips devices that were created or imported after the request', async () => {
    const { deviceClass } = await aFleet(at.world, at.owner, at.projectId, 5);
    const actionId = await aRunningAction({ deviceClass }, 5);
    at.world.pass(5);
    await manyDevices(at.world, at.projectId, deviceClass, 5);
    // Imported devices have an older id and creation time.
    const file = JSON.stringify([{ id: anId(700), tag: 'imported' }]);
    const target = { projectId: at.projectId, deviceClass };
    expect(await appliedImport(at.owner, { ...target, ids: 'keep' }, file)).toMatchObject({ state: 'done' });
    await actOnDevicesJob(at.world.platform)({ projectId: at.projectId, actionId }, attempt);
    expect(await finished(actionId)).toMatchObject({ done: 5 });
    expect((await suspendedOf(at.world, at.projectId, deviceClass))?.count).toBe(5);
  });

  it('leaves alone a device that no longer matches once it is locked', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 3);
    await doAll({ action: 'suspend', ids });
    const { platform } = at.world;
    const id = await aRunningAction({ deviceClass, suspended: true }, ids.length, 'delete');
    const [resumed = ''] = ids;
    let found = false;
    // The device is resumed after the job has found it.
    const search: typeof platform.db.search = async query => {
      const rows = await platform.db.search<never>(query);
      if (!found) await doAll({ action: 'resume', ids: [resumed] });
      found = true;
      return rows;
    };
    const job = actOnDevicesJob({ ...platform, db: { ...platform.db, search } });
    await job({ projectId: at.projectId, actionId: id }, attempt);
    expect(await finished(id)).toMatchObject({ state: 'done', done: 2, total: 3 });
    const left = await platform.db.many(sql`select id from devices where device_class = ${deviceClass}`);
    expect(left).toEqual([{ id: resumed }]);
  });

  it('without matching devices is done at once', async () => {
    const { deviceClass } = await aFleet(at.world, at.owner, at.projectId, 0);
    const started = await doAll({ action: 'delete', matching: { deviceClass } });
    expect(await finished(started.id)).toMatchObject({ state: 'done', total: 0, done: 0 });
  });

  it('on a class that does not exist is refused', async () => {
    await failing(doAll({ action: 'delete', matching: { deviceClass: 'none' } }), 'DEVICE_CLASS_NOT_FOUND');
    await failing(finished('act_none'), 'ACTION_NOT_FOUND');
  });

  it('continues after a failure at any point, and changes no device twice', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 3 * stepSize);
    const action = await aRunningAction({ deviceClass }, ids.length);
    // Every third query fails, as if the database were unavailable.
    let asked = 0;
    const breaking = <D extends Db>(db: D): D => ({
      ...db,
      run: async query => {
        asked += 1;
        if (asked % 3 === 0) throw new Error('broken off');
        return db.run(query);
      },
    });
    const { db } = at.world.platform;
    const broken = {
      ...breaking(db),
      tx: <T>(work: (tx: Transaction) => Promise<T>) => db.tx(tx => work(breaking(tx))),
    };
    const job = actOnDevicesJob({ ...at.world.platform, db: broken });
    let tries = 0;
    while (
      await job({ projectId: at.projectId, actionId: action }, attempt).then(
        () => false,
        () => true,
      )
    )
      tries += 1;
    expect(tries).toBeGreaterThan(1);
    expect(await finished(action)).toMatchObject({ state: 'done', done: ids.length });
    expect(await suspendedOf(at.world, at.projectId, deviceClass)).toEqual({
      count: ids.length,
      revisions: ids.length * 2,
    });
    const entries = await db.many(
      sql`select 1 from log_entries where stream = 'system' and subject = any(${ids})`,
    );
    expect(entries).toHaveLength(ids.length);
  });

  it('is done once, even if several jobs run it at the same time', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 3 * stepSize);
    const action = await aRunningAction({ deviceClass }, ids.length);
    const payload = { projectId: at.projectId, actionId: action };
    const job = actOnDevicesJob(at.world.platform);
    await Promise.all([job(payload, attempt), job(payload, attempt), job(payload, attempt)]);
    expect(await finished(action)).toMatchObject({ state: 'done', done: ids.length });
    expect((await suspendedOf(at.world, at.projectId, deviceClass))?.revisions).toBe(ids.length * 2);
  });

  it('reports that it failed if it cannot be done', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 3);
    const action = await aRunningAction({ deviceClass }, ids.length);
    const tx = () => Promise.reject(new Error('never'));
    const quiet = { ...at.world.platform, db: { ...at.world.platform.db, tx }, log: () => undefined };
    await actOnDevicesJob(quiet)({ projectId: at.projectId, actionId: action }, { ...attempt, isLast: true });
    expect(await finished(action)).toMatchObject({ state: 'failed', error: expect.any(String) });
  });

  it('is resumed after a stop of the server', async () => {
    const { deviceClass, ids } = await aFleet(at.world, at.owner, at.projectId, 2 * stepSize);
    const action = await aRunningAction({ deviceClass }, ids.length);
    const job = actOnDevicesJob(at.world.platform);
    await job({ projectId: at.projectId, actionId: action }, { ...attempt, signal: AbortSignal.abort() });
    expect(await finished(action)).toMatchObject({ state: 'done', done: ids.length });
  });
});

/** A running action that has no job yet. */
async function aRunningAction(
  matching: NonNullable<DeviceAction['matching']>,
  total: number,
  action: Body['action'] = 'suspend',
): Promise<string> {
  const id = at.world.platform.newId('act');
  const actor = { callerType: 'developer', id: at.owner.developer.id, displayName: 'Ada' } as const;
  await deviceActionStore.insert(at.world.platform.db, {
    id,
    projectId: at.projectId,
    action,
    state: 'running',
    total,
    now: at.world.now(),
    asked: { matching, actor },
  });
  return id;
}
