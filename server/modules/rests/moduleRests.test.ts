import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSmartModule } from '#contract/smartModule.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { Evaluator } from '#server/modules/evaluator/evaluator.ts';
import { tooLarge } from '#server/modules/evaluator/findGuilty.ts';
import { aModule, anEvent, aType, aWorker, deciding, untilRuns } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { evaluateFor } from './evaluateFor.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
beforeAll(() => aPartition(at.world, 'device_events'));

const harmful = new URL('../../../test/harmfulThread.ts', import.meta.url);
const evaluators: Evaluator[] = [];
const anEvaluator = () => {
  const one = new Evaluator(harmful);
  evaluators.push(one);
  return one;
};
afterAll(() => Promise.all(evaluators.map(one => one.end())));

const given = { state: {}, data: {}, figures: {} };
const job = (module: string, program: string) => ({ program, given, of: at.projectId, module });
const strikesOf = (module: string) =>
  at.world.platform.db.one<{ strikes: number; until: Date }>(
    sql`select strikes, until from module_rests where module_id = ${module}`,
  );
const read = (moduleId: string) =>
  at.owner.client.call(readSmartModule, { params: { projectId: at.projectId, moduleId } });

describe('a module whose expression ends its evaluator', () => {
  it('rests, also after a restart, says so, and its team gets an e-mail; others are evaluated', async () => {
    const { platform } = at.world;
    const [bad, good] = [
      await aModule(at, { moduleType: 'rule' }),
      await aModule(at, { moduleType: 'rule' }),
    ];
    const both = [job(bad, 'allocates'), job(good, 'fine')];
    expect(await evaluateFor(platform, both, { using: anEvaluator() })).toEqual([
      { error: tooLarge },
      { value: 'fine' },
    ]);
    // Another evaluator, as after a restart, knows nothing but what is stored.
    const [again, other] = await evaluateFor(platform, [job(bad, 'fine'), job(good, 'fine')], {
      using: anEvaluator(),
    });
    expect([again, other]).toEqual([
      { error: expect.stringMatching(/^It rests until .* UTC. It was stopped/) },
      { value: 'fine' },
    ]);
    const { restsUntil = '', restsBecause } = await read(bad);
    expect(restsBecause).toBe(tooLarge);
    expect(Date.parse(restsUntil)).toBeGreaterThan(platform.clock().getTime() + 5 * minuteMs);
    expect(await read(good)).not.toHaveProperty('restsUntil');
    const mails = await at.world.mailsTo(at.owner.email);
    expect(mails.map(({ subject }) => subject)).toContain(`Smart module ${bad} rests`);
  });

  it('is on trial afterwards: its strike is stored before it is evaluated, and taken back if all is well', async () => {
    const { platform, pass } = at.world;
    const id = await aModule(at, { moduleType: 'rule' });
    await evaluateFor(platform, [job(id, 'allocates')], { using: anEvaluator() });
    pass(11 * minuteMs);
    let during: Awaited<ReturnType<typeof strikesOf>>;
    const using = {
      evaluate: async () => {
        during = await strikesOf(id);
        return [{ value: true }];
      },
    };
    expect(await evaluateFor(platform, [job(id, 'fine')], { using })).toEqual([{ value: true }]);
    // If the process had ended now, the next one would find the module resting for an hour.
    expect(during?.strikes).toBe(2);
    expect(during?.until.getTime()).toBeGreaterThan(platform.clock().getTime() + 30 * minuteMs);
    expect((await strikesOf(id))?.strikes).toBe(1);
    await evaluateFor(platform, [job(id, 'allocates')], { using: anEvaluator() });
    expect((await strikesOf(id))?.strikes).toBe(2);
  });

  it('runs again at once when it was changed', async () => {
    const { platform } = at.world;
    const id = await aModule(at, { moduleType: 'rule' });
    await evaluateFor(platform, [job(id, 'allocates')], { using: anEvaluator() });
    await platform.db.run(sql`update smart_modules set config = '{"condition": "fine"}' where id = ${id}`);
    expect(await evaluateFor(platform, [job(id, 'fine')], { using: anEvaluator() })).toEqual([
      { value: 'fine' },
    ]);
  });
});

it('after processes that ended while they held a shard, modules are evaluated one by one, each resting should this one end', async () => {
  const { db } = at.world.platform;
  const seen: { modules: number; strikes: number | undefined }[] = [];
  const type = aType(() => ({ isOk: true, summary: 'done' }), {
    choose: deciding(async chosen => {
      const [first] = chosen;
      const modules = new Set(chosen.map(({ module }) => module.id)).size;
      seen.push({ modules, strikes: (await strikesOf(first?.module.id ?? ''))?.strikes });
      return chosen.map(() => ({ hit: true }));
    }),
  });
  const ids = [await aModule(at), await aModule(at)];
  const device = await at.device();
  await db.run(sql`update module_shards set deaths = 1, holder = 'wrk_gone', lease_until = '-infinity'`);
  await anEvent(at, device.id);
  const worker = aWorker(at.world, [type]);
  const once = (runs: { state: string }[]) => runs.length > 0 && runs.every(({ state }) => state === 'done');
  for (const id of ids) await untilRuns(at.world, id, once);
  expect(seen).toEqual([
    { modules: 1, strikes: 1 },
    { modules: 1, strikes: 1 },
  ]);
  for (const id of ids) await until(async () => ((await strikesOf(id)) ? undefined : true));
  await anEvent(at, device.id);
  await until(() => seen[2]);
  // Nobody died, so all are evaluated together again.
  expect(seen[2]).toEqual({ modules: 2, strikes: undefined });
  await worker.stop();
});
