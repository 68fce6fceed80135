import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { deadline } from '#test/until.ts';
import { freeAbandoned } from './abandoned.ts';
import { enqueue } from './enqueue.ts';
import { startJobs, type Task } from './jobs.ts';

let base: TestDatabase;
const log = vi.fn();
const ends: (() => Promise<void>)[] = [];

beforeEach(async () => {
  base = await testDatabase({ max: 8 });
});
afterEach(async () => {
  while (ends.length > 0) await ends.pop()?.();
  await base.end();
});

async function start(sendMail: Task<'sendMail'>): Promise<{ stop(): Promise<void> }> {
  const jobs = await startJobs({ pool: base.db.pool, log, tasks: { sendMail }, pollMs: 50 });
  ends.push(jobs.stop);
  return { stop: () => (ends.pop() ?? jobs.stop)() };
}

test('a job runs at once, and only if its transaction is committed', async () => {
  const done: string[] = [];
  await start(async ({ mailId }) => {
    done.push(mailId);
  });
  const broken = base.db.tx(async db => {
    await enqueue(db, 'sendMail', { mailId: 'rolled back' });
    throw new Error('no');
  });
  await expect(broken).rejects.toThrow('no');
  await base.db.tx(db => enqueue(db, 'sendMail', { mailId: 'kept' }));
  await vi.waitFor(() => expect(done).toEqual(['kept']), deadline);
});

test('of the waiting jobs with one key, the latest replaces the others', async () => {
  const runAt = new Date(Date.now() + 3_600_000);
  await enqueue(base.db, 'sendMail', { mailId: 'first' }, { key: 'one', runAt });
  await enqueue(base.db, 'sendMail', { mailId: 'second' }, { key: 'one', runAt, maxAttempts: 3 });
  const jobs = await base.db.many(
    sql`select key, run_at as "runAt", max_attempts as "max" from graphile_worker.jobs`,
  );
  expect(jobs).toEqual([{ key: 'one', runAt, max: 3 }]);
});

test('a task is told on the last attempt', async () => {
  const last: boolean[] = [];
  await start(async (_, { isLast }) => {
    last.push(isLast);
    throw new Error('cannot');
  });
  await enqueue(base.db, 'sendMail', { mailId: 'a' }, { maxAttempts: 1 });
  await vi.waitFor(() => expect(last).toEqual([true]), deadline);
});

test('stopping waits for running jobs', async () => {
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const steps: string[] = [];
  const jobs = await start(async () => {
    began.resolve();
    await goOn.promise;
    steps.push('job done');
  });
  await enqueue(base.db, 'sendMail', { mailId: 'a' });
  await began.promise;
  const stopped = jobs.stop().then(() => steps.push('stopped'));
  goOn.resolve();
  await stopped;
  expect(steps).toEqual(['job done', 'stopped']);
});

test('a start unlocks the jobs of a killed worker, but not those of a living one', async () => {
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  await start(async () => {
    began.resolve();
    await goOn.promise;
  });
  await enqueue(base.db, 'sendMail', { mailId: 'long' });
  await began.promise;
  await enqueue(base.db, 'sendMail', { mailId: 'left behind' }, { runAt: new Date(Date.now() + 3_600_000) });
  await base.db.run(sql`
    update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now()
    where payload->>'mailId' = 'left behind'`);
  await vi.waitFor(async () => expect(await locks()).toBe(1), deadline);
  await freeAbandoned(base.db.pool, 0);
  const locked = await base.db.many<{ id: string }>(sql`
    select payload->>'mailId' as id from graphile_worker._private_jobs where locked_at is not null`);
  expect(locked).toEqual([{ id: 'long' }]);
  goOn.resolve();
});

test('jobs continue after the database has closed every connection', async () => {
  // The job library prints a trace if a connection breaks just as it looks for a job.
  vi.spyOn(console, 'trace').mockImplementation(() => undefined);
  const done: string[] = [];
  await start(async ({ mailId }) => {
    done.push(mailId);
  });
  await vi.waitFor(async () => expect(await locks()).toBe(1), deadline);
  await base.db.many(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
  await enqueue(base.db, 'sendMail', { mailId: 'after' });
  await vi.waitFor(() => expect(done).toEqual(['after']), deadline);
  await vi.waitFor(async () => expect(await locks()).toBe(1), deadline);
});

test('jobs are found even if the database fails while the worker looks up its tasks', async () => {
  const { query } = pg.Client.prototype;
  let isBroken = false;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [{ text?: string } | string];
    if (
      !isBroken &&
      typeof asked === 'object' &&
      asked.text?.includes('_private_tasks as tasks (identifier)')
    ) {
      isBroken = true;
      return Promise.reject(new Error('The connection broke.'));
    }
    return query.apply(this, given as Parameters<typeof query>);
  });
  const done: string[] = [];
  await start(async ({ mailId }) => {
    done.push(mailId);
  });
  await enqueue(base.db, 'sendMail', { mailId: 'after' });
  await vi.waitFor(() => expect(done).toEqual(['after']), deadline);
  expect(isBroken).toBe(true);
});

/** How many workers hold their lock. */
async function locks(): Promise<number> {
  const found = await base.db.one<{ count: number }>(sql`
    select count(*)::int from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);
  return found?.count ?? 0;
}
