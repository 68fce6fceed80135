import { beforeEach, expect, it } from 'vitest';
import { createProject, listProjects } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { aWireWorld } from '#test/wireWorld.ts';

const at = aWireWorld();
const ready = () => rawCall(fetch, ['GET', `${at.world.url}/readyz`]);
/** Monitors ask all the time. */
const askedThrice = async () => [await ready(), await ready(), await ready()];
const notes = () => at.logged.filter(line => /ready/i.test(line));
beforeEach(() => {
  at.logged.length = 0;
});

it('while the database is unavailable calls get 503 with a retry time, and the server recovers by itself', async () => {
  const owner = await at.world.aDeveloper();
  expect((await ready()).status).toBe(200);
  at.wire.cut();
  try {
    const refused = await failing(owner.client.call(listProjects), 'UNAVAILABLE');
    expect([refused.status, refused.retryAfterS]).toEqual([503, 2]);
    await failing(owner.client.call(createProject, { body: { name: 'Lost' } }), 'UNAVAILABLE');
    const { status, problem, headers } = await ready();
    expect([status, problem.message, headers.get('retry-after')]).toEqual([
      503,
      'The database cannot be reached.',
      '2',
    ]);
    expect((await rawCall(fetch, ['GET', `${at.world.url}/healthz`])).status).toBe(200);
  } finally {
    at.wire.mend();
  }
  await expect.poll(async () => (await ready()).status).toBe(200);
  await owner.client.call(createProject, { body: { name: 'Kept' } });
  const { items } = await owner.client.call(listProjects);
  expect(items.map(({ name }) => name)).toEqual(['Kept']);
});

it('a database that hangs makes /readyz name it at once, and is logged once without a stack trace', async () => {
  at.wire.hang();
  try {
    for (const { status, problem } of await askedThrice())
      expect([status, problem.reason, problem.message]).toEqual([
        503,
        'UNAVAILABLE',
        'The database does not answer.',
      ]);
    expect(notes()).toEqual(['error Not ready. The database does not answer.']);
  } finally {
    at.wire.mend();
  }
  await expect.poll(async () => (await ready()).status).toBe(200);
  expect(notes()).toEqual(['error Not ready. The database does not answer.', 'info Ready again.']);
});

it('calls that wait for a database that hangs get 503 long before it would give up, and new ones at once', async () => {
  const owner = await at.world.aDeveloper();
  await owner.client.call(listProjects);
  at.wire.hang();
  try {
    const refused = await failing(owner.client.call(listProjects), 'UNAVAILABLE');
    expect([refused.status, refused.retryAfterS]).toEqual([503, 2]);
    await failing(owner.client.call(createProject, { body: { name: 'Lost' } }), 'UNAVAILABLE');
  } finally {
    at.wire.mend();
  }
  await expect.poll(async () => (await ready()).status).toBe(200);
  await expect.poll(() => owner.client.call(listProjects).then(() => 'answered', String)).toBe('answered');
});

it('a full disk makes the server not ready, although reads still succeed, and the refused call says why', async () => {
  const owner = await at.world.aDeveloper();
  const { db } = at.database;
  await db.run(sql`
    create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file "base/5/16396"' using errcode = 'disk_full'; end $$`);
  await db.run(sql`create trigger full_disk before insert on projects execute function full_disk()`);
  const refused = await failing(owner.client.call(createProject, { body: { name: 'Lost' } }), 'UNAVAILABLE');
  expect([refused.status, refused.retryAfterS, refused.message]).toEqual([
    503,
    30,
    'The service has no storage space left, so nothing can be saved. Try again later.',
  ]);
  await owner.client.call(listProjects);
  for (const { status, problem } of await askedThrice())
    expect([status, problem.message]).toEqual([503, 'The disk of the database is full.']);
  expect(notes()).toEqual(['error Not ready. The disk of the database is full.']);
  expect(at.logged.join('\n')).not.toMatch(/\n? +at /);
  await db.run(sql`drop trigger full_disk on projects`);
  await owner.client.call(createProject, { body: { name: 'Kept' } });
});
