import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editProject } from '#contract/project.ts';
import { type Reason, reasons } from '#contract/reasons.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { aBackEnd, aRoute } from '#test/backEnds.ts';
import { aDevice } from '#test/devices.ts';
import { anEndUser } from '#test/endUsers.ts';
import { aKey } from '#test/keys.ts';
import { asked, uploaded } from '#test/logRequests.ts';
import { aReadyVersion } from '#test/versions.ts';
import { aWireWorld } from '#test/wireWorld.ts';

const at = aWireWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });

/** What only somebody with access to the machine may learn. */
const innards = [
  /\bat .*\.[tj]s|node_modules|sqlstate|postgres|pg_|relation "|could not |trigger|plpgsql|errno|syscall/i,
  /FST_|\bE[A-Z]{4,}\b|\/tmp\/|\/files\/\w\w\//,
];
const revealed = (text: string) => innards.map(one => one.exec(text)?.[0]).find(Boolean);

/** Only a failure waits this long. */
const answerWithinMs = 50_000;

type Door = () => Promise<Response>;
const doors: Record<string, Door> = {};
/** The doors at which a file is missing. */
const missing: Record<string, Door> = {};
/** What a device says waits for the database, and is answered once it is stored. */
let say: Door;
let backEnd: Awaited<ReturnType<typeof aBackEnd>>;

const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-console-guard': '1' },
  body: JSON.stringify(body),
});

beforeAll(async () => {
  const { world } = at;
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  await owner.client.call(editProject, { params: { projectId }, body: { allowPublicOTAU: true } });
  const device = await aDevice(owner, projectId);
  const user = await anEndUser(world, await anApp(owner, projectId));
  const key = await aKey(world, owner, { projectId, canAdmin: true });
  backEnd = await aBackEnd();
  await aRoute({ owner, projectId }, backEnd.url, { sourcePath: '/door' });
  const version = await aReadyVersion(world, owner, projectId);
  // Blocks that were downloaded before are in memory.
  const neverFetched = await aReadyVersion(world, owner, projectId);
  const log = await uploaded(world);
  const wanted = await asked(log.target);
  const [api, app, service] = [`${world.url}/api`, user.baseUrl, `${world.url}/service/v1`];
  const basic = { authorization: `Basic ${btoa(`${device.id}:${device.apiKey}`)}` };
  Object.assign(doors, {
    'the developer API, reading': () =>
      owner.fetch(`${api}/projects`, { headers: { 'x-console-guard': '1' } }),
    'the developer API, writing': () => owner.fetch(`${api}/projects`, json({ name: 'x' })),
    'the live link': () =>
      owner.fetch(`${api}/projects/${projectId}/live`, { headers: { 'x-console-guard': '1' } }),
    'a sign-in': () =>
      fetch(`${api}/auth/password`, json({ email: owner.email, password: 'x', orgId: 'default' })),
    'the app API, reading': () => user.fetch(`${app}/homes`),
    'the app API, writing': () => user.fetch(`${app}/homes`, json({ name: 'x' })),
    'the event stream of an app': () => user.fetch(`${app}/events`),
    'a proxy route': () => user.fetch(`${app}/projects/${projectId}/appProxy/door/x`),
    'the service API, reading': () => key.fetch(`${service}/devices?projectId=${projectId}`),
    'the service API, writing': () =>
      key.fetch(`${service}/devices/${device.id}/commands`, json({ name: 'x' })),
    'the device gateway, reading': () => fetch(`${world.url}/device/v1/config`, { headers: basic }),
    'a download': () => fetch(log.url),
    'an upload': () => fetch(wanted.uploadUrl, { method: 'PUT', body: '{"text":"x"}\n' }),
    'public firmware': () => fetch(`${world.url}/firmware/${version.id}`),
    'a page for end users': () => fetch(`${world.url}/u/${projectId}/verify?token=x`),
    'the outbox': () => fetch(`${world.url}/outbox`),
    'the messages of the outbox': () => fetch(`${world.url}/outbox/messages`),
    readiness: () => fetch(`${world.url}/readyz`),
  });
  say = () => fetch(`${world.url}/device/v1/events/door`, { method: 'POST', headers: basic, body: '{}' });
  Object.assign(missing, {
    'a download': doors['a download'],
    'public firmware': () => fetch(`${world.url}/firmware/${neverFetched.id}`),
  });
});
afterAll(async () => {
  await backEnd[Symbol.asyncDispose]();
});

/** Every answer is a problem in our words, or a page; and none says more. */
async function checked(asked: Record<string, Door>): Promise<Record<string, number>> {
  const answers = await Promise.all(
    Object.entries(asked).map(async ([name, ask]) => {
      const response = await inTime(name, ask());
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      const text = isStream ? '' : await response.text();
      if (isStream) await response.body?.cancel();
      return { name, response, text };
    }),
  );
  for (const { name, response, text } of answers) {
    expect([name, revealed(text)]).toEqual([name, undefined]);
    expect([name, revealed(JSON.stringify([...response.headers]))]).toEqual([name, undefined]);
    if (response.status < 400) continue;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/html')) continue;
    expect([name, type]).toEqual([name, 'application/json; charset=utf-8']);
    const { reason } = JSON.parse(text) as { reason: Reason };
    expect([name, reasons[reason]?.[0]]).toEqual([name, response.status]);
  }
  return Object.fromEntries(answers.map(({ name, response }) => [name, response.status]));
}

function inTime<T>(name: string, answer: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`${name} does not answer.`)), answerWithinMs).unref();
  });
  return Promise.race([answer, late]);
}

describe('no answer at any door reveals internals, or is in the words of a framework,', () => {
  it('if all is well', async () => {
    const found = await checked(doors);
    expect(Object.values(found).filter(status => status >= 500)).toEqual([]);
  });

  it('if the disk of the database is full', async () => {
    const { db } = at.database;
    await db.run(sql`
      create function full_disk() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file "base/5/16396"' using errcode = 'disk_full'; end $$`);
    const tables = await db.many<{ name: string }>(sql`
      select c.oid::regclass::text as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
    for (const { name } of tables)
      await at.database.db.pool.query(
        `create trigger full_disk before insert or update or delete on ${name} for each row execute function full_disk()`,
      );
    const said = say();
    try {
      const found = await checked(doors);
      expect(found['the developer API, writing']).toBe(503);
    } finally {
      // Dropping the triggers would wait for all tables at once, and lock up with the server's own work.
      await db.run(sql`
        create or replace function full_disk() returns trigger language plpgsql as $$
          begin return coalesce(new, old); end $$`);
    }
    expect((await said).status).toBeLessThan(300);
  });

  it('if the database hangs', async () => {
    // Connections that are open would wait for their statement; new ones wait for the database to answer.
    at.wire.cut();
    at.wire.hang();
    try {
      const found = await checked(doors);
      expect(found).toMatchObject({ 'the developer API, reading': 503, readiness: 503 });
    } finally {
      at.wire.mend();
    }
    await expect.poll(async () => (await fetch(`${at.world.url}/readyz`)).status).toBe(200);
  });

  it('if a file is missing', async () => {
    const { platform } = at.world;
    const places = await platform.db.many<{ place: string }>(sql`
      select file as place from log_requests where file is not null
      union all select place from component_versions where place is not null`);
    for (const { place } of places) await platform.storage.remove(place);
    const found = await checked(missing);
    expect(found).toEqual({ 'a download': 404, 'public firmware': 404 });
  });
});
