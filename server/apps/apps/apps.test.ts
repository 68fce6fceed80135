import { expect, it } from 'vitest';
import { appConfigBytesMax, appsMax, deleteApp, editApp, listApps, readApp } from '#contract/app.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
const project = async () => (await at.world.aProject(at.owner)).id;

it('an app is created with its required fields, and read as it was written', async () => {
  const projectId = await project();
  const bare = await anApp(at.owner, projectId, { id: 'bare' });
  expect(bare).toMatchObject({
    subscribedEvents: ['*'],
    config: {},
    redirects: [],
    userSessionsTTL: 2_592_000,
  });
  const config = { z: 1, a: [null, { deep: true }], __proto__: null };
  await anApp(at.owner, projectId, { id: 'full', config: { ...config }, redirects: ['com.nordlys.app:/in'] });
  const read = await at.owner.client.call(readApp, { params: { appId: 'full' }, query: { projectId } });
  expect(JSON.stringify(read.config)).toBe(JSON.stringify(config));
  const { items } = await at.owner.client.call(listApps, { params: { projectId } });
  expect(items.map(({ id, openSessions }) => [id, openSessions])).toEqual([
    ['bare', 0],
    ['full', 0],
  ]);
  await failing(anApp(at.owner, projectId, { id: 'bare' }), 'ID_TAKEN');
});

it('event names are stored sorted, each once regardless of case', async () => {
  const projectId = await project();
  const { id } = await anApp(at.owner, projectId, {
    subscribedEvents: ['opened', 'Alert', 'OPENED', 'alert'],
  });
  const one = { params: { appId: id }, query: { projectId } };
  expect((await at.owner.client.call(readApp, one)).subscribedEvents).toEqual(['Alert', 'opened']);
  const edited = await at.owner.client.call(editApp, { ...one, body: { subscribedEvents: [] } });
  expect(edited.subscribedEvents).toEqual([]);
  const mixed = at.owner.client.call(editApp, { ...one, body: { subscribedEvents: ['*', 'opened'] } });
  expect((await failing(mixed, 'INVALID_FIELDS')).fields).toEqual({ subscribedEvents: 'INVALID' });
});

it('a redirect address that others could receive is refused, and named in the error', async () => {
  const projectId = await project();
  const redirects = ['https://app.nordlys.example/in', 'https://evil.example@app.nordlys.example/'];
  const refused = await failing(anApp(at.owner, projectId, { redirects }), 'REDIRECT_UNFIT');
  expect(refused.fields).toEqual({ 'redirects.1': 'REDIRECT_UNFIT' });
});

it('a config has at most 64 KiB, in UTF-8', async () => {
  const projectId = await project();
  const room = appConfigBytesMax - '{"a":""}'.length;
  const { id } = await anApp(at.owner, projectId, { config: { a: 'x'.repeat(room) } });
  const one = { params: { appId: id }, query: { projectId } };
  const over = { config: { a: 'å'.repeat(room / 2 + 1) } };
  await failing(at.owner.client.call(editApp, { ...one, body: over }), 'TOO_LARGE');
});

it('two projects can use the same app id', async () => {
  const [first, second, id] = [await project(), await project(), unique('twin')];
  await anApp(at.owner, first, { id });
  await anApp(at.owner, second, { id, description: 'second' });
  const read = (query: { projectId?: string }) =>
    at.owner.client.call(readApp, { params: { appId: id }, query });
  await failing(read({}), 'AMBIGUOUS_ID');
  expect(await read({ projectId: second })).toMatchObject({ description: 'second', projectId: second });
});

it('an edit of an outdated revision is refused', async () => {
  const projectId = await project();
  const { id, revision } = await anApp(at.owner, projectId);
  const edit = (description: string) =>
    at.owner.client.call(editApp, {
      params: { appId: id },
      query: { projectId },
      body: { description },
      ifMatch: revision,
    });
  await edit('one');
  await failing(edit('other'), 'STALE');
  const texts = (await auditOf(at.world, projectId)).map(({ text }) => text);
  expect(texts).toContain(`App ${id} changed`);
});

it('deleting an app deletes its sessions but not its users', async () => {
  const projectId = await project();
  const { id } = await anApp(at.owner, projectId);
  const { db } = at.world.platform;
  const user = unique('usr');
  await db.run(sql`
    with person as (
      insert into users (project_id, id, created_at) values (${projectId}, ${user}, now()) returning *)
    insert into user_sessions
      (project_id, id, user_id, app_id, address, created_at, proved_at, last_seen_at, expires_at)
    select project_id, ${unique('ses')}, id, ${id}, '', now(), now(), now(), now() + interval '1 day' from person`);
  const { items } = await at.owner.client.call(listApps, { params: { projectId } });
  expect(items[0]).toMatchObject({ openSessions: 1, activeSessions: 1 });
  await at.owner.client.call(deleteApp, { params: { appId: id }, query: { projectId } });
  const left = await db.one(sql`
    select (select count(*)::int from users where project_id = ${projectId}) as users,
      (select count(*)::int from user_sessions where project_id = ${projectId}) as sessions`);
  expect(left).toEqual({ users: 1, sessions: 0 });
});

it('a project has a maximum number of apps', async () => {
  const projectId = await project();
  await at.world.platform.db.run(sql`
    insert into apps (project_id, id, user_sessions_ttl_s, created_at)
    select ${projectId}, 'app-' || n, 3600, now() from generate_series(1, ${appsMax}) n`);
  await failing(anApp(at.owner, projectId), 'TOO_MANY_APPS');
});
