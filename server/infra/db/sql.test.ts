import { describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { type Database, DatabaseUnavailable, empty, join, openDatabase, sql } from './sql.ts';

async function opened(): Promise<{ db: Database; url: string }> {
  const made = await testDatabase();
  onTestFinished(() => made.end());
  await made.db.run(sql`create table thing (id int primary key, name text, kept boolean default true)`);
  return made;
}

describe('an answer', () => {
  test('is the first row, all rows, or the number of changed rows', async () => {
    const { db } = await opened();
    expect(await db.run(sql`insert into thing values (1, 'a'), (2, 'b')`)).toBe(2);
    expect(await db.one(sql`select name from thing order by id`)).toEqual({ name: 'a' });
    expect(await db.one(sql`select name from thing where id = ${9}`)).toBeUndefined();
    expect(await db.many(sql`select id from thing order by id`)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await db.run(sql`update thing set name = 'c' where id = ${9}`)).toBe(0);
  });

  test('keeps big numbers exact, times as dates, and days as text', async () => {
    const { db } = await opened();
    const values = sql`select 9007199254740993::bigint as big, date '2026-03-01' as day, timestamptz '2026-03-01T12:00Z' as moment`;
    expect(await db.one(values)).toEqual({
      big: '9007199254740993',
      day: '2026-03-01',
      moment: new Date('2026-03-01T12:00:00Z'),
    });
  });

  test('never treats a value as part of the statement', async () => {
    const { db } = await opened();
    const name = "'; drop table thing; --";
    await db.run(sql`insert into thing (id, name) values (1, ${name})`);
    const where = join([sql`name = ${name}`, sql`kept`], ' and ');
    expect(await db.many(sql`select id from thing where ${where} ${empty}`)).toEqual([{ id: 1 }]);
  });
});

describe('a statement', () => {
  test('has one plan for all values on connections with generic plans', async () => {
    const { url } = await opened();
    const plansOf = async (plans: 'generic' | undefined) => {
      const db = openDatabase(url, { max: 1, plans });
      onTestFinished(() => db.end());
      for (let id = 0; id < 3; id++) await db.one(sql`select name from thing where id = ${id}`);
      return db.search(sql`
        select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where name <> ''`);
    };
    expect(await plansOf('generic')).toEqual([{ generic: 3, custom: 0 }]);
    expect(await plansOf(undefined)).toEqual([{ generic: 0, custom: 3 }]);
  });

  test('is prepared once per connection, but a search is planned every time', async () => {
    const { url } = await opened();
    const db = one(url);
    for (let id = 0; id < 3; id++) await db.one(sql`select name from thing where id = ${id}`);
    await db.search(sql`select name from thing where name like ${'%a%'}`);
    const prepared = await db.search(sql`select statement from pg_prepared_statements`);
    expect(prepared).toEqual([{ statement: 'select name from thing where id = $1' }]);
  });

  test('that exceeds its time limit is cancelled, and its connection stays usable', async () => {
    const db = one((await opened()).url);
    expect(await db.within(20, sql`select pg_sleep(60)`)).toBeUndefined();
    expect(await db.within(0, sql`select 1`)).toBeUndefined();
    expect(await db.within(60_000, sql`select 1 as one from pg_sleep(0.05)`)).toEqual([{ one: 1 }]);
    await expect(db.within(60_000, sql`select nothing`)).rejects.toMatchObject({ code: '42703' });
    expect(await db.one(sql`show statement_timeout`)).toEqual({ statement_timeout: '1min' });
  });

  test('is cancelled in time even if every connection is busy with such statements', async () => {
    const { db } = await opened();
    const asked = Array.from({ length: 8 }, () => db.within(20, sql`select pg_sleep(60)`));
    expect(await Promise.all(asked)).toEqual(asked.map(() => undefined));
  });

  test('that ends just as it is cancelled does not take the next statement on its connection with it', async () => {
    const db = one((await opened()).url);
    for (let i = 0; i < 200; i++) {
      await db.within(2, sql`select pg_sleep(0.0015 + ${i % 10} * 0.0001)`);
      expect(await db.one(sql`select ${i}::int as i from pg_sleep(0.0003)`)).toEqual({ i });
    }
  });

  test('still works after its table changed, in and outside a transaction', async () => {
    const { db, url } = await opened();
    const reader = one(url);
    const all = sql`select * from thing`;
    await db.run(sql`insert into thing (id) values (1)`);
    await reader.many(all);
    await db.run(sql`alter table thing add column more int default 7`);
    expect(await reader.many(all)).toMatchObject([{ more: 7 }]);
    await db.run(sql`alter table thing add column still int default 8`);
    expect(await reader.tx(tx => tx.many(all))).toMatchObject([{ still: 8 }]);
  });
});

describe('a transaction', () => {
  test('saves everything or nothing', async () => {
    const { db } = await opened();
    const failing = db.tx(async tx => {
      await tx.run(sql`insert into thing (id) values (1)`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.many(sql`select id from thing`)).toEqual([]);
    expect(await db.tx(async tx => tx.run(sql`insert into thing (id) values (1)`))).toBe(1);
    expect(await db.many(sql`select id from thing`)).toEqual([{ id: 1 }]);
  });

  test('does not report success if an error inside it was swallowed', async () => {
    const { db } = await opened();
    const swallowing = db.tx(async tx => {
      await tx.run(sql`insert into thing (id) values (1)`);
      await tx.run(sql`insert into thing (id) values (1)`).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('Nothing was saved');
    expect(await db.many(sql`select id from thing`)).toEqual([]);
  });

  test('saves the statements queued for its commit, or nothing at all', async () => {
    const { db } = await opened();
    const insert = (id: number) => sql`insert into thing (id) values (${id})`;
    await db.tx(async tx => {
      tx.atCommit(insert(2));
      tx.atCommit(insert(3));
      await tx.run(insert(1));
      expect(await tx.many(sql`select id from thing`)).toEqual([{ id: 1 }]);
    });
    const failing = db.tx(async tx => {
      tx.atCommit(insert(3));
      tx.atCommit(insert(5));
      await tx.run(insert(4));
    });
    await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'thing_pkey' });
    expect(await db.many(sql`select id from thing order by id`)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(db.pool.totalCount).toBe(db.pool.idleCount);
  });

  test('rejects statements once it is over', async () => {
    const { db } = await opened();
    const insert = sql`insert into thing (id) values (1)`;
    let kept = await db.tx(async tx => tx);
    await expect(kept.run(insert)).rejects.toThrow('The transaction is over');
    const failing = db.tx(async tx => {
      kept = tx;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await expect(kept.run(insert)).rejects.toThrow('The transaction is over');
    expect(await db.many(sql`select id from thing`)).toEqual([]);
  });

  test('passes errors of PostgreSQL on unchanged', async () => {
    const { db } = await opened();
    await db.run(sql`insert into thing (id) values (1)`);
    const twice = sql`insert into thing (id) values (1)`;
    const expected = { code: '23505', constraint: 'thing_pkey' };
    await expect(db.run(twice)).rejects.toMatchObject(expected);
    await expect(db.tx(tx => tx.run(twice))).rejects.toMatchObject(expected);
    expect(db.pool.totalCount).toBe(db.pool.idleCount);
  });

  test('is retried after a deadlock with another one', async () => {
    const { db } = await opened();
    await db.run(sql`insert into thing (id, name) values (1, ''), (2, '')`);
    let met = 0;
    const both = Promise.withResolvers<void>();
    const crossing = (first: number, second: number) =>
      db.tx(async tx => {
        await tx.run(sql`update thing set name = name || 'x' where id = ${first}`);
        if (++met === 2) both.resolve();
        await both.promise;
        await tx.run(sql`update thing set name = name || 'x' where id = ${second}`);
      });
    await Promise.all([crossing(1, 2), crossing(2, 1)]);
    expect(met).toBeGreaterThan(2);
    expect(await db.many(sql`select name from thing`)).toEqual([{ name: 'xx' }, { name: 'xx' }]);
  });

  test('gives up after the fourth collision', async () => {
    const { db } = await opened();
    let tries = 0;
    const colliding = db.tx(async tx => {
      tries++;
      await tx.run(sql`do $$ begin raise exception 'collided' using errcode = '40001'; end $$`);
    });
    await expect(colliding).rejects.toMatchObject({ code: '40001' });
    expect(tries).toBe(4);
  });
});

describe('a broken connection', () => {
  test('does not affect a read', async () => {
    const { db } = await opened();
    const first = sql`select pg_terminate_backend(pg_backend_pid()) where not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'`;
    expect(await db.many(first)).toEqual([]);
  });

  test('never repeats a write', async () => {
    const { db, url } = await opened();
    const other = one(url);
    // The row is committed before the connection breaks, which the caller cannot know.
    await db.run(sql`create procedure keep_and_die() language plpgsql as $$
      begin
        insert into thing select count(*) + 1 from thing;
        commit;
        perform pg_terminate_backend(pg_backend_pid());
      end $$`);
    await expect(db.run(sql`call keep_and_die()`)).rejects.toThrow(DatabaseUnavailable);
    expect(await other.many(sql`select id from thing`)).toEqual([{ id: 1 }]);
  });

  test('in a transaction is reported to the caller, and the next transaction works', async () => {
    const { db } = await opened();
    const broken = db.tx(async tx => {
      await tx.run(sql`insert into thing (id) values (1)`);
      await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    await expect(broken).rejects.toThrow(DatabaseUnavailable);
    expect(await db.tx(tx => tx.many(sql`select id from thing`))).toEqual([]);
  });

  test('is assumed when a write reaches a read-only standby', async () => {
    const { db } = await opened();
    const onStandby = db.tx(async tx => {
      await tx.run(sql`set transaction read only`);
      await tx.run(sql`insert into thing (id) values (1)`);
    });
    await expect(onStandby).rejects.toThrow(DatabaseUnavailable);
    expect(await db.run(sql`insert into thing (id) values (1)`)).toBe(1);
  });

  test('while idle goes unnoticed', async () => {
    const { db, url } = await opened();
    const other = one(url);
    await db.many(sql`select 1`);
    await other.run(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`,
    );
    expect(await db.many(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test('to an unreachable server is a typed error, within seconds', async () => {
    const db = openDatabase('postgres://a:b@127.0.0.1:1/d', { max: 2 });
    onTestFinished(() => db.end());
    const asked = [db.many(sql`select 1`), db.tx(tx => tx.run(sql`select 1`))];
    await Promise.all(asked.map(answer => expect(answer).rejects.toThrow(DatabaseUnavailable)));
  });

  test('is not blamed for an error of the work itself', async () => {
    const { db } = await opened();
    const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });
    await expect(db.tx(() => Promise.reject(missing))).rejects.toBe(missing);
  });
});

/** A database with a single connection. */
function one(url: string): Database {
  const db = openDatabase(url, { max: 1 });
  onTestFinished(() => db.end());
  return db;
}
