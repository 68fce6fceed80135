import { afterEach, beforeAll, expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import type { ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { aModule, anEvent, aType, aWorker, untilRuns } from '#test/modules.ts';
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

it('the leases of other shards are renewed while a step of one that was lost takes long', async () => {
  const { db } = at.world.platform;
  const [lost, kept] = [await aPlace(at, true), await aPlace(at, false)];
  await aModule(lost, { id: 'lost' });
  await aModule(kept, { id: 'kept' });
  const gate = Promise.withResolvers<void>();
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const choose: ModuleType['choose'] = async events => {
    if (events.some(({ module }) => module.id === 'lost')) {
      asked();
      await gate.promise;
    }
    return { late: new Set(), decide: async (_db, some) => some.map(() => ({ hit: true })) };
  };
  worker = aWorker(at.world, [aType(() => ({ isOk: true, summary: 'done' }), { choose })]);
  await anEvent(lost, lost.deviceId);
  await isAsked;
  await db.run(sql`
    update module_shards set holder = 'wrk_other', lease_until = now() + interval '1 hour'
    where shard = module_shard(${lost.projectId})`);
  const renewed = new Set<string>();
  await until(async () => {
    const row = await db.one<{ until: string }>(sql`
      select lease_until::text as until from module_shards where shard = module_shard(${kept.projectId})`);
    if (row) renewed.add(row.until);
    // By the look that is under way, the one that finds the shard lost, and another.
    return renewed.size >= 4 || undefined;
  });
  gate.resolve();
  await anEvent(kept, kept.deviceId);
  const runs = await untilRuns(at.world, 'kept', ([run]) => run?.state === 'done');
  expect(runs).toHaveLength(1);
  await db.run(
    sql`update module_shards set holder = '', lease_until = '-infinity' where holder = 'wrk_other'`,
  );
});
