import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import type { Chosen } from '#server/modules/smartModules/moduleType.ts';
import { manyDevices } from '#test/devices.ts';
import { aModule, aType, aWorker, deciding, untilRuns } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
beforeAll(() => aPartition(at.world, 'device_events'));
beforeAll(() => aPartition(at.world, 'state_reports'));

let worker: ReturnType<typeof aWorker> | undefined;
afterEach(async () => {
  await worker?.stop();
  await at.world.platform.db.run(sql`delete from smart_modules`);
  await at.world.platform.db.run(sql`delete from module_late_projects`);
});

const stateBytes = 60_000;
/** Of all states that a step keeps, as text: its limit, and the last state that reaches it. */
const stepBytesMax = 2 * 1024 * 1024 + stateBytes;

/** A type that hears everything, and the sizes of the different states it was asked about together. */
function anAskedType({ isLate = false } = {}) {
  const steps: number[] = [];
  const asked: Chosen[] = [];
  const choose = deciding(async events => {
    const states = new Set(events.map(({ state }) => state));
    steps.push([...states].reduce((sum, state) => sum + JSON.stringify(state).length, 0));
    asked.push(...events);
    return events.map(() => ({ hit: true }));
  });
  const late: typeof choose = async (events, platform, how) => {
    if (!how.isPrompt) return choose(events, platform, how);
    const projects = new Set(events.map(({ module }) => module.projectId));
    return { late: projects, decide: async () => [] };
  };
  return {
    type: aType(() => ({ isOk: true, summary: '' }), { choose: isLate ? late : choose }),
    steps,
    asked,
  };
}

const allDone = (count: number) => (runs: { state: string }[]) =>
  runs.filter(({ state }) => state === 'done').length === count;

describe('a tenant whose devices have large states', () => {
  it.each([
    { isLate: false, where: 'with its shard' },
    { isLate: true, where: 'apart' },
  ])(
    'cannot fill the memory with many of them, and its modules receive all events in order, $where',
    async how => {
      const { db } = at.world.platform;
      const { type, steps, asked } = anAskedType(how);
      const id = await aModule(at, { subscribedEvents: ['tick'] });
      const ids = await manyDevices(at.world, at.projectId, (await at.deviceClass()).id, 300);
      await db.run(sql`
      insert into device_states (project_id, device_id, reported)
      select ${at.projectId}, d.id, ${JSON.stringify({ text: 'x'.repeat(stateBytes) })} from unnest(${ids}::text[]) d (id)`);
      const ts = at.world.now();
      const eventIds = ids.map(() => at.world.platform.newId('evt', ts));
      await db.run(sql`
      insert into device_events (project_id, device_id, ts, id, name, payload)
      select ${at.projectId}, device_id, ${ts}, id, 'tick', '{}'
      from unnest(${ids}::text[], ${eventIds}::text[]) e (device_id, id)`);
      worker = aWorker(at.world, [type]);
      await untilRuns(at.world, id, allDone(ids.length));
      expect(Math.max(...steps)).toBeLessThanOrEqual(stepBytesMax);
      expect(asked.map(({ device }) => device.id)).toEqual(ids);
    },
  );

  it('cannot fill it with the states that one device had, either', async () => {
    const { db } = at.world.platform;
    const { type, steps, asked } = anAskedType();
    const id = await aModule(at, { subscribedEvents: ['_state_'] });
    const { id: deviceId } = await at.device();
    const count = 300;
    await db.run(sql`
      insert into device_states (project_id, device_id, reported)
      values (${at.projectId}, ${deviceId}, ${JSON.stringify({ n: count, text: 'x'.repeat(stateBytes) })})`);
    await db.run(sql`
      insert into state_reports (project_id, device_id, ts, patch, undo, numbers)
      select ${at.projectId}, ${deviceId}, ${at.world.now()}, json_build_object('n', n), json_build_object('n', n - 1), '{}'
      from generate_series(1, ${count}::int) n order by n`);
    worker = aWorker(at.world, [type]);
    await untilRuns(at.world, id, allDone(count));
    expect(Math.max(...steps)).toBeLessThanOrEqual(stepBytesMax);
    expect(asked.map(({ state }) => state.n)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  });
});
