import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readModuleFigures } from '#contract/moduleRun.ts';
import { addMember } from '#contract/team.ts';
import { parkAfter } from '#rules/modules/moduleLimits.ts';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { discardWaiting } from '#server/modules/runs/discardWaiting.ts';
import type { Running } from '#server/modules/smartModules/moduleType.ts';
import { findModule, setParked, setSuspended } from '#server/modules/smartModules/store.ts';
import { aModule, anEvent, aType, aWorker, deciding, type RunSeen, untilRuns } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
beforeAll(() => aPartition(at.world, 'device_events'));

let workers: ReturnType<typeof aWorker>[] = [];
afterEach(async () => {
  await Promise.all(workers.map(worker => worker.stop()));
  workers = [];
  await at.world.platform.db.run(sql`delete from smart_modules`);
});

function work(...types: ReturnType<typeof aType>[]): void {
  workers.push(aWorker(at.world, types));
}

const ok = { isOk: true, summary: 'done' };
const done = (count: number) => (runs: RunSeen[]) =>
  runs.filter(({ state }) => state === 'done').length >= count;
function noted<T>(seen: T[], one: T) {
  seen.push(one);
  return ok;
}
const figuresOf = (moduleId: string) =>
  at.owner.client.call(readModuleFigures, { params: { projectId: at.projectId, moduleId } });
const forever = () => new Promise<never>(() => undefined);

/** A type whose runs never end, with a count of the runs that have begun. */
function aHangingType() {
  let begun = 0;
  const type = aType(() => {
    begun += 1;
    return forever();
  });
  return { type, begun: () => begun };
}

describe('a module', () => {
  it('receives the events it is subscribed to since its creation, with device and state', async () => {
    const seen: Running[] = [];
    work(aType(run => noted(seen, run)));
    const device = await at.device();
    await anEvent(at, device.id);
    const id = await aModule(at, { subscribedEvents: ['Door'] });
    await anEvent(at, device.id, 'bell');
    const eventId = await anEvent(at, device.id, 'door', { open: true });
    const runs = await untilRuns(at.world, id, done(1));
    expect(runs.map(run => run.eventId)).toEqual([eventId]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      event: { id: eventId, name: 'door', payload: { open: true }, deviceId: device.id },
      device: { id: device.id, tag: device.tag, deviceClass: device.deviceClass, connected: false },
      state: {},
      attempt: 1,
      causedBy: [],
    });
  });

  it('runs in order for each device, while a run that fails delays no other device', async () => {
    const [bad, good] = [await at.device(), await at.device()];
    const order: string[] = [];
    work(
      aType(
        ({ event, attempt }) => {
          order.push(event?.id ?? '');
          return { isOk: event?.name !== 'first' || attempt > 2, summary: 'tried' };
        },
        { attemptsAfterS: [0, 1, 1] },
      ),
    );
    const id = await aModule(at);
    const first = await anEvent(at, bad.id, 'first');
    const others = [await anEvent(at, bad.id), await anEvent(at, good.id), await anEvent(at, good.id)];
    const runs = await untilRuns(at.world, id, done(4));
    expect(runs.map(({ attempts }) => attempts)).toEqual([3, 1, 1, 1]);
    const [second, ...ofGood] = others;
    expect(order.filter(one => one === first || one === second)).toEqual([first, first, first, second]);
    expect(order.filter(one => ofGood.includes(one))).toEqual(ofGood);
    expect(order.indexOf(ofGood[0] ?? '')).toBeLessThan(order.lastIndexOf(first));
  });

  it('that hangs or cannot decide delays no other module', async () => {
    const hangs = aHangingType();
    work(
      hangs.type,
      aType(() => ok, {
        id: 'rule',
        ignores: config => {
          if ('isUnreadable' in config) throw new Error('no');
          return false;
        },
        choose: deciding(async events => {
          if (events.some(({ module }) => module.id === 'undecided')) throw new Error('no');
          return events.map(() => ({ hit: true }));
        }),
      }),
    );
    await aModule(at, { id: 'hangs' });
    await aModule(at, { id: 'undecided', moduleType: 'rule', config: { isUnreadable: true } });
    await aModule(at, { id: 'good', moduleType: 'rule' });
    const devices = await Promise.all(Array.from({ length: 25 }, () => at.device()));
    for (const { id } of devices) await anEvent(at, id);
    await untilRuns(at.world, 'good', done(25));
    expect(hangs.begun()).toBeLessThanOrEqual(16);
    const undecided = await untilRuns(at.world, 'undecided', runs => runs.length > 0);
    expect([...new Set(undecided.map(({ state }) => state))]).toEqual(['failed']);
  });

  it('runs even if as many runs hang as a project has slots', async () => {
    const hangs = aHangingType();
    work(
      hangs.type,
      aType(() => ok, { id: 'rule' }),
    );
    for (const n of [1, 2, 3, 4, 5]) await aModule(at, { id: `hangs-${n}` });
    const devices = await Promise.all(Array.from({ length: 16 }, () => at.device()));
    for (const { id } of devices) await anEvent(at, id);
    await until(() => (hangs.begun() >= 64 ? true : undefined));
    await aModule(at, { id: 'good', moduleType: 'rule' });
    for (const { id } of devices) await anEvent(at, id);
    await untilRuns(at.world, 'good', done(16));
    // Each module has its sixteen runs, and no more.
    await until(() => (hangs.begun() === 80 ? true : undefined));
  });

  it('that was deleted and created again runs with the new configuration', async () => {
    const seen: unknown[] = [];
    work(aType(({ module }) => noted(seen, module.config)));
    const [device, id] = [await at.device(), await aModule(at, { config: { is: 'first' } })];
    await anEvent(at, device.id);
    await untilRuns(at.world, id, done(1));
    // Simulates both changes between two reads of the dispatcher.
    await at.world.platform.db.run(sql`
      update smart_modules set config = '{"is": "second"}', created_at = now() where id = ${id}`);
    await aModule(at, { suspended: true });
    await anEvent(at, device.id);
    await untilRuns(at.world, id, done(2));
    expect(seen).toEqual([{ is: 'first' }, { is: 'second' }]);
  });

  it('with too many waiting runs gets no more scheduled ones, and they are counted as dropped', async () => {
    const { db, clock } = at.world.platform;
    const [{ id: deviceId }, id] = [await at.device(), await aModule(at, { moduleType: 'rule' })];
    await setParked(db, { projectId: at.projectId, id }, { because: 'x', now: clock() });
    await db.run(sql`
      insert into module_runs (project_id, module_id, id, seq, created_at)
      select ${at.projectId}, ${id}, 'run_' || n, n, now() from generate_series(1, ${parkAfter.waiting}) as n`);
    const event = { id: 'evt_1', name: 'door', ts: clock() };
    const due = [{ projectId: at.projectId, moduleId: id, deviceId, dueAt: clock(), event, causedBy: [] }];
    work(aType(() => ok, { id: 'rule', elapsed: async () => due.splice(0) }));
    await until(async () => ((await figuresOf(id)).dropped > 0 ? true : undefined));
    expect(await figuresOf(id)).toMatchObject({ dropped: 1, waiting: parkAfter.waiting });
  });

  it('receives nothing while it is suspended, and no older events once it is resumed', async () => {
    const { db, clock } = at.world.platform;
    const device = await at.device();
    const id = await aModule(at);
    const key = { projectId: at.projectId, id };
    const suspend = (suspended: boolean) => setSuspended(db, key, { suspended, now: clock() });
    work(
      aType(({ event }) => (event?.name === 'stuck' ? { isOk: false, summary: 'no' } : ok), {
        attemptsAfterS: [0, 3600],
      }),
    );
    await anEvent(at, device.id, 'stuck');
    await untilRuns(at.world, id, ([run]) => run?.attempts === 1);
    await db.tx(async tx => {
      await suspend(true);
      await discardWaiting(tx, at.projectId, id, clock());
    });
    await anEvent(at, device.id, 'missed');
    await suspend(false);
    await anEvent(at, device.id, 'heard');
    const runs = await untilRuns(at.world, id, done(1));
    expect(runs.map(({ eventName, state }) => [eventName, state])).toEqual([
      ['stuck', 'dropped'],
      ['heard', 'done'],
    ]);
    expect(await figuresOf(id)).toMatchObject({ dropped: 1 });
  });

  it('is suspended by an answer that asks for it, and its team gets an e-mail', async () => {
    work(aType(() => ({ isOk: false, isFinal: true, suspend: 'The address is gone', summary: '410' })));
    const id = await aModule(at);
    const email = `${unique('invited')}@example.com`;
    await at.owner.client.call(addMember, { params: { projectId: at.projectId }, body: { email } });
    await anEvent(at, (await at.device()).id);
    const { db } = at.world.platform;
    const row = await until(async () => {
      const found = await findModule(db, at.projectId, id);
      return found?.suspended ? found : undefined;
    });
    expect(row.suspendedBecause).toBe('The address is gone');
    const [mail] = await at.world.mailsTo(at.owner.email);
    expect(mail?.text).toContain('The address is gone');
    // Only the invitation: who has not accepted it is not part of the team.
    expect(await at.world.mailsTo(email)).toHaveLength(1);
  });

  it('is parked with its waiting runs after a day without success, and its team gets one e-mail', async () => {
    let isOk = false;
    work(aType(() => ({ isOk, summary: 'tried' }), { attemptsAfterS: [0, 1, 1, 1, 1] }));
    const id = await aModule(at);
    const device = await at.device();
    await anEvent(at, device.id);
    await untilRuns(at.world, id, ([run]) => (run?.attempts ?? 0) > 0);
    const { db } = at.world.platform;
    await db.run(sql`
      update module_health set failing_since = failing_since - interval '24 hours' where module_id = ${id}`);
    const row = await until(async () => {
      const found = await findModule(db, at.projectId, id);
      return found?.parkedAt ? found : undefined;
    });
    expect(row.parkedBecause).toBe('Every attempt failed for 24 hours');
    const [waits] = await untilRuns(at.world, id, runs => runs.length > 0);
    expect(waits?.state).toBe('waiting');
    const mails = await at.world.mailsTo(at.owner.email);
    expect(mails.filter(({ subject }) => subject === `Smart module ${id} was parked`)).toHaveLength(1);
    isOk = true;
    await db.run(sql`
      update smart_modules set parked_at = null, parked_because = null, revision = revision + 1 where id = ${id}`);
    await untilRuns(at.world, id, done(1));
  });

  it('on a schedule makes up once for all missed times', async () => {
    const now = at.world.now();
    const seen: Running[] = [];
    const next = new Date(now.getTime() + dayMs);
    work(aType(run => noted(seen, run), { id: 'schedule', takesEvents: false, dueAfter: () => next }));
    const dueAt = new Date(now.getTime() - 3 * dayMs);
    const id = await aModule(at, { moduleType: 'schedule', dueAt });
    await untilRuns(at.world, id, done(1));
    expect(seen.map(run => run.dueAt)).toEqual([dueAt]);
    const row = await at.world.platform.db.one<{ dueAt: Date }>(sql`
      select due_at as "dueAt" from smart_modules where id = ${id}`);
    expect(row?.dueAt).toEqual(next);
  });
});

describe('two workers', () => {
  it('execute each run once', async () => {
    const seen: string[] = [];
    const type = aType(({ runId }) => noted(seen, runId));
    work(type);
    work(type);
    const id = await aModule(at);
    const devices = await Promise.all(Array.from({ length: 5 }, () => at.device()));
    for (let i = 0; i < 8; i++) await Promise.all(devices.map(device => anEvent(at, device.id)));
    const runs = await untilRuns(at.world, id, done(40));
    expect(seen.toSorted()).toEqual(runs.map(run => run.id).toSorted());
  });

  it('take over a run of a worker that died, with the same id', async () => {
    const begun: string[] = [];
    work(
      aType(({ runId }) => {
        begun.push(runId);
        return forever();
      }),
    );
    const id = await aModule(at);
    await anEvent(at, (await at.device()).id);
    await until(() => begun[0]);
    const { db } = at.world.platform;
    work(aType(({ runId }) => noted(begun, runId)));
    // Simulates an expired lease. Repeated, because the first worker renews its lease.
    await until(async () => {
      await db.run(sql`update module_shards set lease_until = '-infinity' where holder <> ''`);
      return begun[1];
    });
    const [run] = await untilRuns(at.world, id, done(1));
    expect(new Set(begun)).toEqual(new Set([run?.id]));
  });
});
