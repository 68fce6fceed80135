import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listModuleRuns, readModuleFigures, resendModuleRun } from '#contract/moduleRun.ts';
import { parkAfter } from '#rules/modules/moduleLimits.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Running } from '#server/modules/smartModules/moduleType.ts';
import { findModule, setParked } from '#server/modules/smartModules/store.ts';
import { aModule, anEvent, aType, aWorker, type RunSeen, untilRuns } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
beforeAll(() => aPartition(at.world, 'device_events'));

let worker: ReturnType<typeof aWorker> | undefined;
afterEach(async () => {
  await worker?.stop();
  await at.world.platform.db.run(sql`delete from smart_modules`);
});

function work(type: ReturnType<typeof aType>): void {
  worker = aWorker(at.world, [type]);
}

const ok = { isOk: true, summary: 'done' };
const done = (count: number) => (runs: RunSeen[]) =>
  runs.filter(({ state }) => state === 'done').length >= count;
const figuresOf = (moduleId: string) =>
  at.owner.client.call(readModuleFigures, { params: { projectId: at.projectId, moduleId } });

describe('a module', () => {
  it('postpones a run until it can be done, which counts neither as an attempt nor as late', async () => {
    const putOffUntil = new Date(at.world.now().getTime() + hourMs);
    work(aType(({ now }) => (now < putOffUntil ? { isOk: true, summary: 'Put off', putOffUntil } : ok)));
    const id = await aModule(at);
    await anEvent(at, (await at.device()).id);
    const params = { projectId: at.projectId, moduleId: id };
    const [run] = await untilRuns(at.world, id, ([one]) => one?.summary === 'Put off');
    expect(run).toMatchObject({ state: 'waiting', attempts: 0 });
    const { oldestWaiting, ...before } = await figuresOf(id);
    expect([before.waiting, before.done, before.held, oldestWaiting]).toEqual([1, 0, 0, undefined]);
    const [listed] = await at.owner.client.call(listModuleRuns, { params, query: {} });
    expect(listed?.nextAt).toBe(putOffUntil.toISOString());
    at.world.pass(hourMs);
    const [after] = await untilRuns(at.world, id, done(1));
    expect(after).toMatchObject({ id: run?.id, attempts: 1, summary: 'done' });
    const figures = await figuresOf(id);
    expect(figures.lagMs?.p99).toBeLessThan(hourMs / 2);
  });

  it('whose runs are postponed goes on with the next ones of the device, and is not parked for them', async () => {
    const until = new Date(at.world.now().getTime() + hourMs);
    const isQuiet = (run: Running) => run.event?.name === 'quiet' && run.now < until;
    work(aType(run => (isQuiet(run) ? { isOk: true, summary: 'Put off', putOffUntil: until } : ok)));
    const id = await aModule(at);
    const device = await at.device();
    await anEvent(at, device.id, 'quiet');
    await anEvent(at, device.id, 'loud');
    await untilRuns(at.world, id, runs => done(1)(runs) && runs[0]?.summary === 'Put off');
    await manyPostponed(id, device.id, until);
    await setParked(at.world.platform.db, { projectId: at.projectId, id }, null);
    await anEvent(at, device.id, 'loud');
    await untilRuns(at.world, id, done(2));
    const module = await findModule(at.world.platform.db, at.projectId, id);
    expect(module?.parkedBecause).toBeNull();
  });

  it('does not retry a run before its time because another one of the device is repeated', async () => {
    const tried: string[] = [];
    work(
      aType(
        ({ event }) => {
          tried.push(event?.name ?? '');
          return { isOk: false, summary: 'no', ...(event?.name === 'first' && { isFinal: true }) };
        },
        { attemptsAfterS: [0, 3600] },
      ),
    );
    const id = await aModule(at);
    const device = await at.device();
    for (const name of ['first', 'second']) await anEvent(at, device.id, name);
    const [first] = await untilRuns(at.world, id, ([, second]) => second?.attempts === 1);
    const params = { projectId: at.projectId, moduleId: id, runId: first?.id ?? '' };
    await at.owner.client.call(resendModuleRun, { params });
    await untilRuns(at.world, id, ([one]) => one?.state === 'failed' && tried.length > 2);
    await anEvent(at, (await at.device()).id, 'other');
    await until(() => tried.includes('other') || undefined);
    expect(tried).toEqual(['first', 'second', 'first', 'other']);
  });
});

/** As many postponed runs as would park the module if they counted. */
function manyPostponed(moduleId: string, deviceId: string, until: Date): Promise<number> {
  return at.world.platform.db.run(sql`
    insert into module_runs (project_id, module_id, id, seq, device_id, created_at, next_at, due_at)
    select ${at.projectId}, ${moduleId}, 'run_' || n, nextval('event_numbers'), ${deviceId}, ${at.world.now()}, ${until},
      ${until}
    from generate_series(1, ${parkAfter.waiting}) n`);
}
