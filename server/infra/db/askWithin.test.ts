import type pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { askWithin } from './askWithin.ts';
import { connectionTo } from './connect.ts';

it('a statement that arrives after its cancellation is cancelled as well', async () => {
  const made = await testDatabase();
  const { pool } = connectionTo(made.url, { max: 1 });
  const { pool: canceller } = connectionTo(made.url, { max: 1 });
  onTestFinished(async () => {
    await Promise.all([pool.end(), canceller.end()]);
    await made.end();
  });
  const client = await pool.connect();
  const first = Promise.withResolvers<void>();
  const late = Object.assign(Object.create(client) as pg.PoolClient, {
    query: async (statement: pg.QueryConfig) => {
      await first.promise;
      return client.query(statement);
    },
  });
  const heard = Object.assign(Object.create(canceller) as pg.Pool, {
    query: (text: string, values: unknown[]) => canceller.query(text, values).finally(() => first.resolve()),
  });
  const asked = askWithin({ connect: async () => late, canceller: heard }, 1, {
    text: 'select pg_sleep(60)',
  });
  await expect(asked).rejects.toMatchObject({ cause: { code: '57014' } });
});
