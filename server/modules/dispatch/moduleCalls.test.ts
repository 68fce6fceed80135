import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLogEntries } from '#contract/log.ts';
import {
  explainModule,
  listModuleRuns,
  readModuleFigures,
  readModuleRun,
  recoverSmartModule,
  resendModuleRun,
  testSmartModule,
} from '#contract/moduleRun.ts';
import { sql } from '#server/infra/db/sql.ts';
import { findModule } from '#server/modules/smartModules/store.ts';
import { failing } from '#test/failing.ts';
import { aModule, anEvent, aType, aWorker, untilRuns } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { chooseHits } from './choosing/chooseHits.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
let worker: ReturnType<typeof aWorker>;
/** Modules whose runs fail at the moment. */
const broken = new Set<string>();
beforeAll(async () => {
  await aPartition(at.world, 'device_events');
  const run = ({ module: { id } }: { module: { id: string } }) => {
    const isOk = !broken.has(id);
    return {
      isOk,
      summary: isOk ? '200' : '500',
      sent: { method: 'POST', url: 'https://a.example', headers: {}, body: 'x'.repeat(20_000) },
    };
  };
  worker = aWorker(at.world, [aType(run)]);
});
afterAll(() => worker.stop());

const since = () => new Date(at.world.now().getTime() - 60_000).toISOString();
const paramsOf = (moduleId: string) => ({ params: { projectId: at.projectId, moduleId } });

describe('the runs of a module', () => {
  it('are listed, read with each attempt, and counted', async () => {
    const { client } = at.owner;
    const device = await at.device({ name: 'Hall lamp' });
    const id = await aModule(at);
    const events = [
      await anEvent(at, device.id, 'door', { open: true }),
      await anEvent(at, device.id, 'bell'),
    ];
    await untilRuns(at.world, id, runs => runs.filter(({ state }) => state === 'done').length === 2);
    const listed = await client.call(listModuleRuns, paramsOf(id));
    expect(listed.map(run => run.event?.id).toSorted()).toEqual(events);
    const found = await client.call(listModuleRuns, { ...paramsOf(id), query: { search: 'BELL' } });
    expect(found.map(run => run.event?.name)).toEqual(['bell']);
    const after = await client.call(listModuleRuns, {
      ...paramsOf(id),
      query: { limit: 1, after: listed[0]?.id },
    });
    expect(after.map(run => run.id)).toEqual([listed[1]?.id]);
    const runId = listed.find(run => run.event?.name === 'door')?.id ?? '';
    const read = await client.call(readModuleRun, { params: { ...paramsOf(id).params, runId } });
    expect(read).toMatchObject({
      state: 'done',
      payload: { open: true },
      device: { name: 'Hall lamp' },
      attempts: 1,
    });
    expect(read.history[0]?.sent?.body).toHaveLength(16 * 1024);
    const figures = await client.call(readModuleFigures, paramsOf(id));
    expect(figures).toMatchObject({ done: 2, failed: 0, waiting: 0, range: '24h' });
    expect(figures.lagMs?.p99).toBeGreaterThan(0);
    const none = { params: { ...paramsOf(id).params, runId: 'run_none' } };
    await failing(client.call(readModuleRun, none), 'MODULE_RUN_NOT_FOUND');
    await failing(client.call(resendModuleRun, none), 'MODULE_RUN_NOT_FOUND');
  });

  it('are repeated if they failed, one or all, and keep their ids', async () => {
    const { client } = at.owner;
    const device = await at.device();
    const id = await aModule(at);
    broken.add(id);
    await anEvent(at, device.id, 'one');
    await anEvent(at, device.id, 'two');
    const failed = await untilRuns(
      at.world,
      id,
      runs => runs.filter(({ state }) => state === 'failed').length === 2,
    );
    const recovering = (dryRun: boolean) =>
      client.call(recoverSmartModule, { ...paramsOf(id), body: { since: since(), dryRun } });
    const recoveries = async () => {
      const now = at.world.now().getTime();
      const query = {
        begin: new Date(now - 600_000).toISOString(),
        end: new Date(now + 60_000).toISOString(),
      };
      const entries = await client.call(readLogEntries, { params: { projectId: at.projectId }, query });
      return entries.filter(({ action }) => action === 'recoverSmartModule').length;
    };
    expect(await recovering(true)).toEqual({ count: 2 });
    expect(await recoveries()).toBe(0);
    broken.delete(id);
    const runId = failed[0]?.id ?? '';
    await client.call(resendModuleRun, { params: { ...paramsOf(id).params, runId } });
    await untilRuns(at.world, id, ([run]) => run?.state === 'done');
    expect(await recovering(false)).toEqual({ count: 1 });
    expect(await recoveries()).toBe(1);
    const done = await untilRuns(at.world, id, runs => runs.every(({ state }) => state === 'done'));
    expect(done.map(run => run.id)).toEqual(failed.map(run => run.id));
  });

  it('are not repeated if a test failed', async () => {
    const id = await aModule(at);
    await at.world.platform.db.run(sql`
      insert into module_runs (project_id, module_id, id, state, seq, is_test, created_at, last_at)
      values (${at.projectId}, ${id}, 'run_test', 'failed', 1, true, now(), now())`);
    const recovering = (dryRun: boolean) =>
      at.owner.client.call(recoverSmartModule, { ...paramsOf(id), body: { since: since(), dryRun } });
    expect([await recovering(true), await recovering(false)]).toEqual([{ count: 0 }, { count: 0 }]);
  });

  it('are not repeated while the module is suspended', async () => {
    const id = await aModule(at, { suspended: true });
    const recovering = at.owner.client.call(recoverSmartModule, {
      ...paramsOf(id),
      body: { since: since() },
    });
    await failing(recovering, 'MODULE_SUSPENDED');
  });
});

describe('the explanation of why a module ran or did not', () => {
  it('names the first condition that is not met', async () => {
    const device = await at.device();
    const before = await anEvent(at, device.id, 'door');
    const id = await aModule(at, { subscribedEvents: ['door'] });
    const [bell, door] = [await anEvent(at, device.id, 'bell'), await anEvent(at, device.id, 'Door')];
    const [run] = await untilRuns(at.world, id, runs => runs.some(({ state }) => state === 'done'));
    const explained = async (eventId: string) => {
      const { hit, steps, run } = await at.owner.client.call(explainModule, {
        ...paramsOf(id),
        query: { eventId },
      });
      return { hit, decides: steps.find(({ isOk }) => !isOk)?.what, run: run?.id };
    };
    expect(await explained(door)).toEqual({ hit: true, run: run?.id });
    expect(await explained(bell)).toEqual({ hit: false, decides: 'It has none of the names door' });
    const older = 'It happened before the module was created or resumed';
    expect(await explained(before)).toEqual({ hit: false, decides: older });
    await failing(explained('evt_none'), 'EVENT_NOT_FOUND');
  });

  it('names a chain of four modules, after which the fifth does nothing', async () => {
    const { db } = at.world.platform;
    const device = await at.device();
    const id = await aModule(at, { subscribedEvents: ['_desired_'] });
    for (const hops of [3, 4])
      await db.tx(async tx => {
        const causes = Array.from({ length: hops }, (_, hop) => `run_${hop}`);
        await tx.run(sql`select set_config('mooring.caused_by', ${JSON.stringify(causes)}, true)`);
        await tx.run(sql`
          insert into device_states (project_id, device_id, desired_version) values (${at.projectId}, ${device.id}, 1)
          on conflict (project_id, device_id) do update set desired_version = device_states.desired_version + 1`);
      });
    const runs = await untilRuns(at.world, id, all => all.length === 2 && all[0]?.state === 'done');
    expect(runs.map(({ state }) => state)).toEqual(['done', 'dropped']);
  });
});

describe('a test of a module', () => {
  it('uses the latest event that the module is subscribed to, and is recorded', async () => {
    const { client } = at.owner;
    const device = await at.device();
    const id = await aModule(at, { moduleType: 'notify', subscribedEvents: ['tried'] });
    await failing(
      client.call(testSmartModule, { ...paramsOf(id), body: { eventId: 'evt_none' } }),
      'EVENT_NOT_FOUND',
    );
    const eventId = await anEvent(at, device.id, 'tried');
    await client.call(testSmartModule, { ...paramsOf(id), body: {} });
    const [run] = await client.call(listModuleRuns, paramsOf(id));
    // The device is in no home, so nobody gets an e-mail.
    expect(run).toMatchObject({ isTest: true, state: 'held', event: { id: eventId } });
  });

  it('needs an event, or a type that works without one', async () => {
    const id = await aModule(at, { moduleType: 'table', subscribedEvents: [] });
    await failing(at.owner.client.call(testSmartModule, { ...paramsOf(id), body: {} }), 'NOTHING_TO_TEST');
  });
});

describe('a module that does not decide in time', () => {
  const { promise: never } = Promise.withResolvers<never>();
  const type = aType(() => ({ isOk: true, summary: '' }), { choose: () => never });
  const chosen = async () => {
    const id = await aModule(at, { suspended: true });
    return { module: await findModule(at.world.platform.db, at.projectId, id) } as never;
  };

  it('is late while others wait for it', async () => {
    const { late } = await chooseHits(at.world.platform, type, [await chosen()], {
      isPrompt: true,
      withinMs: 10,
    });
    expect([...late]).toEqual([at.projectId]);
  });

  it('gets an error for its events otherwise', async () => {
    const { platform } = at.world;
    let left = 2;
    const once = { ...type, choose: () => (left-- > 1 ? never : Promise.reject(new Error('no'))) };
    const one = await chosen();
    const { decide } = await chooseHits(platform, once, [one], { isPrompt: false, withinMs: 10 });
    const choices = await platform.db.tx(db => decide(db, [one]));
    expect(choices).toEqual([{ error: 'The condition could not be evaluated' }]);
  });
});
