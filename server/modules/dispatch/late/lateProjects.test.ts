import { afterEach, beforeAll, expect, it } from 'vitest';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Choosing, ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { aModule, anEvent, aType, aWorker, type RunSeen, untilRuns } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { aPlace } from '#test/shards.ts';
import { until } from '#test/until.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
beforeAll(() => aPartition(at.world, 'device_events'));

let workers: ReturnType<typeof aWorker>[] = [];
afterEach(async () => {
  await endWorkers();
  await at.world.platform.db.run(sql`delete from smart_modules`);
});
async function endWorkers(): Promise<void> {
  await Promise.all(workers.map(worker => worker.stop()));
  workers = [];
}

/** A type whose modules called `slow` need a while, which only ends once `go` is called. */
function aSlowType() {
  const gate = Promise.withResolvers<void>();
  const asked: { isPrompt: boolean; projects: string[] }[] = [];
  const choose: ModuleType['choose'] = async (events, _platform, { isPrompt }): Promise<Choosing> => {
    const slow = new Set(
      events.filter(({ module }) => module.id === 'slow').map(one => one.module.projectId),
    );
    asked.push({ isPrompt, projects: [...new Set(events.map(({ module }) => module.projectId))] });
    if (slow.size > 0 && !isPrompt) await gate.promise;
    return {
      late: isPrompt ? slow : new Set<string>(),
      decide: async (_db, some) => some.map(() => ({ hit: true })),
    };
  };
  const type = aType(() => ({ isOk: true, summary: 'done' }), { choose });
  return { type, asked, go: () => gate.resolve() };
}

const work = (type: ModuleType) => workers.push(aWorker(at.world, [type]));
const done = (count: number) => (runs: RunSeen[]) =>
  runs.length >= count && runs.every(({ state }) => state === 'done');
const isLate = async (projectId: string) =>
  (await at.world.platform.db.one(sql`
    select from module_late_projects where project_id = ${projectId}`)) !== undefined;

it('a project that needs long delays no other one, of its shard or of another, and its events run once, in order', async () => {
  const [slow, near, far] = [await aPlace(at, true), await aPlace(at, true), await aPlace(at, false)];
  await aModule(slow, { id: 'slow' });
  await aModule(near, { id: 'near' });
  await aModule(far, { id: 'far' });
  const { type, go } = aSlowType();
  work(type);
  const events = [await anEvent(slow, slow.deviceId), await anEvent(slow, slow.deviceId)];
  for (const n of [1, 2, 3])
    for (const [place, id] of [
      [near, 'near'],
      [far, 'far'],
    ] as const) {
      await anEvent(place, place.deviceId);
      await untilRuns(at.world, id, done(n));
    }
  events.push(await anEvent(slow, slow.deviceId));
  go();
  const runs = await untilRuns(at.world, 'slow', done(3));
  expect(runs.map(({ eventId }) => eventId)).toEqual(events);
});

it('a late project is dispatched with its shard again after a while, and misses nothing', async () => {
  const slow = await aPlace(at, true);
  await aModule(slow, { id: 'slow' });
  const { type, asked, go } = aSlowType();
  go();
  work(type);
  const events = [await anEvent(slow, slow.deviceId)];
  await untilRuns(at.world, 'slow', done(1));
  expect(await isLate(slow.projectId)).toBe(true);
  at.world.pass(11 * minuteMs);
  await until(async () => ((await isLate(slow.projectId)) ? undefined : true));
  const before = asked.length;
  events.push(await anEvent(slow, slow.deviceId));
  const runs = await untilRuns(at.world, 'slow', done(2));
  expect(runs.map(({ eventId }) => eventId)).toEqual(events);
  expect(asked.slice(before).map(({ isPrompt }) => isPrompt)).toEqual([true, false]);
});

it('a project that was set apart while the clock was ahead is not late until then', async () => {
  const slow = await aPlace(at, true);
  await aModule(slow, { id: 'slow' });
  const { type, go } = aSlowType();
  go();
  work(type);
  await anEvent(slow, slow.deviceId);
  await untilRuns(at.world, 'slow', done(1));
  expect(await isLate(slow.projectId)).toBe(true);
  at.world.pass(-dayMs);
  await until(async () => ((await isLate(slow.projectId)) ? undefined : true));
  at.world.pass(dayMs);
});

it('the events of a late project run after its worker was replaced', async () => {
  const slow = await aPlace(at, true);
  await aModule(slow, { id: 'slow' });
  const waits = aSlowType();
  work(waits.type);
  const events = [await anEvent(slow, slow.deviceId)];
  await until(() => waits.asked.find(({ isPrompt }) => !isPrompt));
  await endWorkers();
  const { type, go } = aSlowType();
  go();
  work(type);
  events.push(await anEvent(slow, slow.deviceId));
  const runs = await untilRuns(at.world, 'slow', done(2));
  expect(runs.map(({ eventId }) => eventId)).toEqual(events);
});

it('the events of a late project run once if another process takes its shard meanwhile', async () => {
  const { db } = at.world.platform;
  const slow = await aPlace(at, true);
  await aModule(slow, { id: 'slow' });
  const { type, asked, go } = aSlowType();
  work(type);
  const events = [await anEvent(slow, slow.deviceId), await anEvent(slow, slow.deviceId)];
  const lateAsks = () => asked.filter(({ isPrompt }) => !isPrompt).length;
  await until(() => lateAsks() > 0 || undefined);
  await db.run(sql`update module_shards set holder = 'wrk_gone', lease_until = '-infinity'`);
  work(type);
  await until(() => lateAsks() > 1 || undefined);
  go();
  events.push(await anEvent(slow, slow.deviceId));
  const runs = await untilRuns(at.world, 'slow', done(3));
  expect(runs.map(({ eventId }) => eventId)).toEqual(events);
});

it('a project that is deleted while it is late stops no other, neither then nor when it would rejoin', async () => {
  const { db } = at.world.platform;
  const [slow, near] = [await aPlace(at, true), await aPlace(at, true)];
  await aModule(slow, { id: 'slow' });
  await aModule(near, { id: 'near' });
  const { type, asked, go } = aSlowType();
  work(type);
  await anEvent(slow, slow.deviceId);
  await until(() => asked.find(({ isPrompt }) => !isPrompt));
  await db.run(sql`delete from smart_modules where project_id = ${slow.projectId}`);
  await db.run(sql`delete from module_late_projects where project_id = ${slow.projectId}`);
  go();
  await anEvent(near, near.deviceId);
  await untilRuns(at.world, 'near', done(1));
  at.world.pass(11 * minuteMs);
  await anEvent(near, near.deviceId);
  await untilRuns(at.world, 'near', done(2));
  expect(await isLate(slow.projectId)).toBe(false);
});

it('what was late when processes ended is evaluated with its strike stored before, should it end this one as well', async () => {
  const { db } = at.world.platform;
  const slow = await aPlace(at, true);
  await aModule(slow, { id: 'slow' });
  const waits = aSlowType();
  work(waits.type);
  await anEvent(slow, slow.deviceId);
  await until(() => waits.asked.find(({ isPrompt }) => !isPrompt));
  await endWorkers();
  await db.run(sql`update module_shards set holder = 'wrk_gone', lease_until = '-infinity'`);
  const { type, asked, go } = aSlowType();
  work(type);
  await until(() => asked[0]);
  const strikes = sql`select strikes from module_rests where module_id = 'slow'`;
  expect(await db.one(strikes)).toEqual({ strikes: 1 });
  go();
  await untilRuns(at.world, 'slow', done(1));
  await until(async () => ((await db.one(strikes)) ? undefined : true));
});
