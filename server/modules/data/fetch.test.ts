import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { ConfigFaults } from '#contract/moduleConfig.ts';
import { readModuleData } from '#contract/moduleData.ts';
import { editSmartModule } from '#contract/smartModule.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aRun, createdModule } from '#test/moduleTypes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { aWebServer } from '#test/webServer.ts';
import { unique } from '#test/world.ts';
import { dataFor } from './dataFor.ts';
import type { FetchConfig } from './fetchConfig.ts';
import { fetchType } from './fetchType.ts';

const at = aProjectWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
const paramsOf = (moduleId: string) => ({ params: { projectId: at.projectId, moduleId } });

async function aSource(answers: RequestListener[]) {
  const server = await aWebServer((request, response) => {
    const answer = answers[server.asked.length - 1] ?? answers.at(-1);
    answer?.(request, response);
  });
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}/prices` });
}

const json =
  (value: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
const status =
  (code: number): RequestListener =>
  (_request, response) =>
    response.writeHead(code).end('no');

/** Suspended, so that only the test triggers fetches. */
const aFetch = (config: Partial<FetchConfig>, given = {}) =>
  createdModule(at, 'fetch', config, { suspended: true, ...given });
const fetched = async (id: string) => fetchType.run(await aRun<FetchConfig>(at, id), at.world.platform);
const read = (id: string) => at.owner.client.call(readModuleData, paramsOf(id));

it('a fetch stores the configured part, and requests only newer data', async () => {
  await using source = await aSource([
    json({ result: { 'a/b': [1, 2] } }, { etag: '"v1"' }),
    (request, response) => {
      const isSame = request.headers['if-none-match'] === '"v1"';
      response.writeHead(isSame ? 304 : 500).end();
    },
  ]);
  const bulkDataLabel = unique('label');
  const { id } = await aFetch({ url: source.url, part: '/result/a~1b' }, { bulkDataLabel });
  expect(await fetched(id)).toMatchObject({ isOk: true, answered: { status: 200 } });
  expect((await read(id)).data).toEqual([1, 2]);
  expect(await fetched(id)).toMatchObject({ isOk: true, summary: '304: nothing has changed' });
  const { [bulkDataLabel]: seen } = await dataFor(at.world.platform.db, at.projectId, [id], at.world.now());
  expect(seen).toMatchObject({ data: [1, 2], isStale: false });
});

it('a failed fetch reports its error and keeps the last good value, which is marked once it is old', async () => {
  await using source = await aSource([json({ price: 1 }), status(500), json({ price: 2 })]);
  const { id } = await aFetch({ url: source.url, everyS: 60 });
  await fetched(id);
  expect(await fetched(id)).toMatchObject({ isOk: false, summary: 'The server answered 500.' });
  expect(await read(id)).toMatchObject({
    data: { price: 1 },
    isStale: false,
    fault: 'The server answered 500.',
  });
  at.world.pass(4 * minuteMs);
  expect((await read(id)).isStale).toBe(true);
  await fetched(id);
  const now = await read(id);
  expect(now).toMatchObject({ data: { price: 2 }, isStale: false });
  expect(now.fault).toBeUndefined();
});

it.each<[string, RequestListener, string]>([
  ['is no JSON', (_, response) => response.end('<html>'), 'The answer is not JSON.'],
  ['has not the part', json({ other: 1 }), 'The answer has nothing at /price.'],
  ['is too long', json({ price: 'x'.repeat(1024 * 1024) }), 'The response is larger than 1 MB.'],
  ['is an error', status(404), 'The server answered 404.'],
])('an answer that %s changes nothing', async (_, answer, summary) => {
  await using source = await aSource([json({ price: 1 }), answer]);
  const { id } = await aFetch({ url: source.url, part: '/price' });
  await fetched(id);
  expect(await fetched(id)).toMatchObject({ isOk: false, summary });
  expect(await read(id)).toMatchObject({ data: 1, fault: summary });
});

it('data of another address is marked at once, until the new address has answered', async () => {
  await using source = await aSource([json(1), status(500), json(3)]);
  const { id } = await aFetch({ url: source.url });
  await fetched(id);
  const edit = (configData: { url: string; authorization?: string }) =>
    at.owner.client.call(editSmartModule, { ...paramsOf(id), body: { configData } });
  await edit({ url: source.url, authorization: 'Bearer another' });
  expect((await read(id)).isStale).toBe(false);
  await edit({ url: `${source.url}?of=2` });
  expect(await read(id)).toMatchObject({ data: 1, isStale: true });
  await fetched(id);
  expect(await read(id)).toMatchObject({ data: 1, isStale: true });
  await fetched(id);
  expect(await read(id)).toMatchObject({ data: 3, isStale: false });
});

it('a new address is fetched at once, then at the configured interval of at least a minute', async () => {
  await using source = await aSource([json(1), json(2)]);
  const { id } = await aFetch({ url: source.url, everyS: 120 }, { suspended: false });
  await until(async () => (await read(id)).data === 1 || undefined);
  const edit = (configData: { url: string; everyS: number }) =>
    at.owner.client.call(editSmartModule, { ...paramsOf(id), body: { configData } });
  await edit({ url: source.url, everyS: 180 });
  const row = await at.world.platform.db.one<{ dueAt: Date }>(sql`
    select due_at as "dueAt" from smart_modules where project_id = ${at.projectId} and id = ${id}`);
  expect(Math.round(((row?.dueAt.getTime() ?? 0) - at.world.now().getTime()) / minuteMs)).toBe(3);
  expect(source.asked).toHaveLength(1);
  await edit({ url: `${source.url}?of=2`, everyS: 180 });
  await until(async () => (await read(id)).data === 2 || undefined);
  const error = await failing(edit({ url: source.url, everyS: 30 }), 'INVALID_MODULE_CONFIG');
  expect(ConfigFaults.parse(error.context).faults).toMatchObject([{ pointer: '/everyS' }]);
});

it('a module resumed with old data fetches at once', async () => {
  await using source = await aSource([json({ price: 1 }), json({ price: 2 })]);
  const { id } = await aFetch({ url: source.url, everyS: 3600 });
  await fetched(id);
  at.world.pass(4 * hourMs);
  await at.owner.client.call(editSmartModule, { ...paramsOf(id), body: { suspended: false } });
  await until(async () => ((await read(id)).isStale ? undefined : true));
  expect((await read(id)).data).toEqual({ price: 2 });
});
