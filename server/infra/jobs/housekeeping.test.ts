import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { slices } from '#server/slices.ts';
import { startTasks } from '#server/tasks.ts';
import { attempt } from '#test/attempt.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { deadline } from '#test/until.ts';
import { enqueue } from './enqueue.ts';
import { batch, keepHouse } from './housekeeping.ts';

const now = new Date('2026-11-20T12:00:00Z');
const chores = slices.flatMap(slice => slice.chores ?? []);
const log = vi.fn();
let base: TestDatabase;

beforeAll(async () => {
  base = await testDatabase();
});
afterAll(() => base.end());

test('expired rows are deleted, and the others stay', async () => {
  const { db } = base;
  await db.run(sql`
    insert into developers (id, org_id, email, name) values ('dvl_1', 'default', 'ada@example.com', 'Ada')`);
  await db.run(sql`
    insert into tokens (hash, purpose, org_id, created_at, expires_at)
    select name::bytea, 'reset', 'default', expires, expires
    from (values ('gone', ${now}::timestamptz - interval '25 h'), ('kept', ${now}::timestamptz - interval '23 h')) as v (name, expires)`);
  await db.run(sql`
    insert into sessions (hash, id, developer_id, created_at, last_used_at, expires_at, proved_at, address, user_agent)
    select name::bytea, name, 'dvl_1', expires, expires, expires, expires, '', ''
    from (values ('gone', ${now}::timestamptz - interval '1 s'), ('kept', ${now}::timestamptz + interval '1 s')) as v (name, expires)`);
  await db.run(sql`
    insert into login_failures (key, failures, blocked_until, last_at)
    select name::bytea, 1, blocked, ${now}::timestamptz - interval '25 h'
    from (values ('gone', ${now}::timestamptz - interval '24 h'), ('kept', ${now}::timestamptz + interval '1 h')) as v (name, blocked)`);
  await db.run(sql`
    insert into mails (id, recipient, subject, created_at)
    select name, 'ada@example.com', '', made
    from (values ('gone', ${now}::timestamptz - interval '31 d'), ('kept', ${now}::timestamptz - interval '29 d')) as v (name, made)`);
  await keepHouse({ db, clock: () => now, log, chores })({}, attempt);
  const left = await db.many(sql`
    select encode(hash, 'escape') as kept from tokens union all select encode(hash, 'escape') from sessions
    union all select encode(key, 'escape') from login_failures union all select id from mails`);
  expect(left).toEqual([{ kept: 'kept' }, { kept: 'kept' }, { kept: 'kept' }, { kept: 'kept' }]);
  expect(log).not.toHaveBeenCalled();
});

test('more rows than one batch are deleted as well', async () => {
  const { db } = base;
  await db.run(sql`
    insert into idempotency_keys (caller, key, request_hash, created_at)
    select 'dvl_1', n::text, '', ${now}::timestamptz - interval '2 d' from generate_series(1, ${2 * batch + 1}) n`);
  await keepHouse({ db, clock: () => now, log, chores })({}, attempt);
  expect(await db.one(sql`select count(*)::int from idempotency_keys`)).toEqual({ count: 0 });
});

test('a shutdown of the server stops housekeeping between two batches', async () => {
  const { db } = base;
  const stop = new AbortController();
  let asked = 0;
  const many: typeof db.many = async query => {
    asked += 1;
    stop.abort();
    return db.many(query);
  };
  const deletes = () => sql`select 1 from generate_series(1, ${batch})`;
  const endless = [
    { name: 'one', deletes },
    { name: 'another', deletes },
  ];
  const job = keepHouse({ db: { ...db, many }, clock: () => now, log, chores: endless });
  await job({}, { isLast: false, signal: stop.signal });
  expect(asked).toBe(1);
});

test('a chore that fails does not prevent the others', async () => {
  const { db } = base;
  await db.run(
    sql`insert into mails (id, recipient, subject, created_at) values ('old', '', '', '2020-01-01')`,
  );
  const broken = { name: 'broken', deletes: () => sql`delete from nothing_of_the_kind returning 1` };
  await keepHouse({ db, clock: () => now, log, chores: [broken, ...chores] })({}, attempt);
  expect(log).toHaveBeenCalledWith('error', 'Housekeeping of broken failed', expect.anything());
  expect(await db.one(sql`select 1 from mails where id = 'old'`)).toBeUndefined();
});

test('the hourly tasks of slices and the chores run although one of them fails', async () => {
  const { db } = base;
  await db.run(
    sql`insert into mails (id, recipient, subject, created_at) values ('older', '', '', '2020-01-01')`,
  );
  const platform = { db, log, clock: () => now, config: { roles: ['worker'] } } as unknown as Platform;
  const broken = async () => {
    throw new Error('broken');
  };
  const hourly = vi.fn(async () => undefined);
  const tasks = await startTasks(platform, [{ hourly: broken }, { hourly, chores }]);
  await enqueue(db, 'keepHouse', {});
  const isDone = async () =>
    expect(await db.one(sql`select 1 from mails where id = 'older'`)).toBeUndefined();
  await vi.waitFor(isDone, deadline).finally(() => tasks.stop());
  expect(hourly).toHaveBeenCalled();
  expect(log).toHaveBeenCalledWith('error', 'A part of housekeeping failed', { error: 'Error: broken' });
});
