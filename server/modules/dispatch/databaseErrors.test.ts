import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Database, DatabaseUnavailable, type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import type { ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { aModule, anEvent, aType, type RunSeen, untilRuns } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { ModuleWork } from './moduleWork.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
beforeAll(() => aPartition(at.world, 'device_events'));

let workers: ModuleWork[] = [];
afterEach(async () => {
  await Promise.all(workers.map(worker => worker.stop()));
  workers = [];
  await at.world.platform.db.run(sql`delete from smart_modules`);
});

const ok = { isOk: true, summary: 'done' };
const done = (count: number) => (runs: RunSeen[]) =>
  runs.filter(({ state }) => state === 'done').length >= count;

describe('after an error of the database', () => {
  /** A platform whose database fails once, where the statement contains a text; `isAfter`: once it was carried out. */
  function failingOnce(text: string, { isAfter = false } = {}) {
    const { db } = at.world.platform;
    let left = 1;
    const isHit = (query: Sql) => left > 0 && query.text.includes(text) && left-- > 0;
    const lost = () => new DatabaseUnavailable('The connection was lost.');
    const many: Database['many'] = query => (isHit(query) ? Promise.reject(lost()) : db.many(query));
    const tx: Database['tx'] = async work => {
      let isMarked = false;
      const result = await db.tx(inner => {
        const run: Db['run'] = query => {
          isMarked ||= isAfter && isHit(query);
          return inner.run(query);
        };
        return work({ ...inner, run });
      });
      if (isMarked) throw lost();
      return result;
    };
    const failing: Database = { ...db, many: isAfter ? db.many : many, tx: isAfter ? tx : db.tx };
    return { platform: { ...at.world.platform, db: failing }, hits: () => 1 - left };
  }

  it('modules that were about to be taken run, without a restart', async () => {
    const type = aType(() => Promise.resolve(ok));
    const id = await aModule(at);
    const { platform, hits } = failingOnce("m.project_id || ' ' || m.id as key");
    workers.push(new ModuleWork(platform, [type]));
    await until(() => (hits() === 1 ? true : undefined));
    await anEvent(at, (await at.device()).id);
    await untilRuns(at.world, id, done(1));
  });

  it('whose answer to a commit was lost, events are not dispatched twice', async () => {
    const seen: string[] = [];
    const type = aType(({ runId }) => {
      seen.push(runId);
      return ok;
    });
    const id = await aModule(at);
    const { platform, hits } = failingOnce('insert into module_runs', { isAfter: true });
    workers.push(new ModuleWork(platform, [type]));
    const { id: device } = await at.device();
    await anEvent(at, device);
    await until(() => (hits() === 1 ? true : undefined));
    await anEvent(at, device);
    const runs = await untilRuns(at.world, id, done(2));
    expect(runs).toHaveLength(2);
    expect(seen.toSorted()).toEqual(runs.map(run => run.id).toSorted());
  });

  it('whose answer to a commit was lost, a project that was set apart goes on as well', async () => {
    const choose: ModuleType['choose'] = async (events, _platform, { isPrompt }) => ({
      late: new Set(isPrompt ? events.map(({ module }) => module.projectId) : []),
      decide: async (_db, some) => some.map(() => ({ hit: true })),
    });
    const type = aType(() => ok, { choose });
    const id = await aModule(at);
    const { platform, hits } = failingOnce('insert into module_late_projects', { isAfter: true });
    workers.push(new ModuleWork(platform, [type]));
    const { id: device } = await at.device();
    const events = [await anEvent(at, device)];
    await until(() => (hits() === 1 ? true : undefined));
    events.push(await anEvent(at, device));
    const runs = await untilRuns(at.world, id, done(2));
    expect(runs.map(({ eventId }) => eventId)).toEqual(events);
  });
});
