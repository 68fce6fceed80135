import { afterEach, beforeAll, expect, it } from 'vitest';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { RuleConfig } from '#server/modules/rules/ruleConfig.ts';
import type { ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';
import { aModule, anEvent, aWorker, runsOf, untilRuns } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { aPlace } from '#test/shards.ts';
import { until } from '#test/until.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
beforeAll(() => aPartition(at.world, 'device_events'));

let worker: ReturnType<typeof aWorker> | undefined;
afterEach(async () => {
  await worker?.stop();
  await at.world.platform.db.run(sql`delete from smart_modules`);
});

type Place = Awaited<ReturnType<typeof aPlace>>;

/** Rules whose events named `slow` need a while, which only ends once `go` is called. */
function slowRules() {
  const gate = Promise.withResolvers<void>();
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const rules = typeOf('rule');
  const choose: NonNullable<ModuleType['choose']> = async (events, platform, { isPrompt }) => {
    const slow = events.filter(({ event }) => event.name === 'slow');
    const found = await rules.choose?.(events, platform, { isPrompt: false });
    if (!found) throw new Error('Rules do not choose.');
    if (isPrompt) return { ...found, late: new Set(slow.map(({ module }) => module.projectId)) };
    if (slow.length > 0) asked();
    if (slow.length > 0) await gate.promise;
    return found;
  };
  return { type: { ...rules, choose }, isAsked, go: () => gate.resolve() };
}

const aRule = (place: Place, id: string) =>
  aModule(place, {
    id,
    moduleType: 'rule',
    config: RuleConfig.parse({
      condition: 'event.payload.isOpen',
      forS: 60,
      actions: [{ kind: 'alert', severity: 'warning', text: 'It is open.' }],
    }),
  });

const isHolding = async (deviceId: string) =>
  (await at.world.platform.db.one(sql`
    select from rule_states where device_id = ${deviceId} and holds`)) !== undefined;

it('a condition does not hold until its time if an event ends it that is still to be evaluated', async () => {
  const [late, other] = [await aPlace(at, true), await aPlace(at, true)];
  const { type, isAsked, go } = slowRules();
  await aRule(late, 'late');
  await aRule(other, 'other');
  worker = aWorker(at.world, [type]);
  for (const place of [late, other]) {
    await anEvent(place, place.deviceId, 'door', { isOpen: true });
    await until(async () => (await isHolding(place.deviceId)) || undefined);
  }
  await anEvent(late, late.deviceId, 'slow', { isOpen: false });
  await isAsked;
  at.world.pass(2 * minuteMs);
  await untilRuns(at.world, 'other', ([run]) => run !== undefined);
  go();
  await until(async () => !(await isHolding(late.deviceId)) || undefined);
  expect(await runsOf(at.world, 'late')).toEqual([]);
});

it('a condition that holds acts after its time also in a project that is late', async () => {
  const late = await aPlace(at, true);
  const { type, go } = slowRules();
  go();
  await aRule(late, 'late');
  worker = aWorker(at.world, [type]);
  await anEvent(late, late.deviceId, 'slow', { isOpen: true });
  await until(async () => (await isHolding(late.deviceId)) || undefined);
  at.world.pass(2 * minuteMs);
  const [run] = await untilRuns(at.world, 'late', ([run]) => run?.state === 'done');
  expect(run?.eventName).toBe('slow');
});
