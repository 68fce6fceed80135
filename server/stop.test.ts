import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { createProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aWorld } from '#test/world.ts';
import { startServer } from './start.ts';

it('a stop finishes a call that is being answered, and waits for nothing else', async () => {
  const world = await aWorld();
  const { db } = world.platform;
  const owner = await world.aDeveloper();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const lock = db.tx(async tx => {
    await tx.run(sql`select from developers where id = ${owner.developer.id} for update`);
    isLocked();
    await held;
  });
  await locked;
  const call = owner.client.call(createProject, { body: { name: 'Last one' } });
  const waiting = sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => db.one(waiting)).toEqual({ count: 1 });
  const ended = world.end();
  letGo();
  await lock;
  expect(await call).toHaveProperty('name', 'Last one');
  // Far less than the time for which an idle connection is kept.
  await ended;
}, 30_000);

it('a connection that was opened and never used does not delay the stop', async () => {
  const world = await aWorld();
  const unused = connect(Number(new URL(world.url).port), '127.0.0.1');
  await once(unused, 'connect');
  // The server accepted the connection before it answered this call.
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
  const closed = once(unused, 'close');
  await world.end();
  await closed;
}, 30_000);

it('a server whose port is in use says so, and stops the database that was started for it', async () => {
  const world = await aWorld();
  const { config, db } = world.platform;
  let isStopped = false;
  const postgres = {
    url: db.pool.options.connectionString ?? '',
    pid: () => undefined,
    stop: async () => {
      isStopped = true;
    },
  };
  const port = Number(new URL(world.url).port);
  const starting = startServer({ ...config, port }, { postgres: Promise.resolve(postgres) });
  await expect(starting).rejects.toThrow(`Port ${port} is taken.`);
  expect(isStopped).toBe(true);
  await world.end();
});
