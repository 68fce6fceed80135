import { beforeAll, describe, expect, it } from 'vitest';
import { type Capability, capabilities, type Endpoint } from '#contract/endpoint.ts';
import { slices } from '#server/app.ts';
import { sql } from '#server/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { aHome, inHome } from '#test/homes.ts';
import { aKey, type BackEnd } from '#test/keys.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

/** Every call of the service API × keys with and without what it takes. Generated, so that none is forgotten. */
const at = aProjectWorld();
let only: Record<Capability, BackEnd>;
let allBut: Record<Capability, BackEnd>;
let foreign: BackEnd;
let ids: Record<string, string>;

const flags = (isOn: (one: Capability) => boolean) =>
  Object.fromEntries(capabilities.map(one => [one, isOn(one)])) as Record<Capability, boolean>;

beforeAll(async () => {
  const { world, owner, projectId } = at;
  const keyWith = (isOn: (one: Capability) => boolean, of = projectId) =>
    aKey(world, owner, { projectId: of, ...flags(isOn) });
  const each = async (made: (one: Capability) => Promise<BackEnd>) =>
    Object.fromEntries(await Promise.all(capabilities.map(async one => [one, await made(one)])));
  only = await each(one => keyWith(other => other === one));
  allBut = await each(one => keyWith(other => other !== one));
  foreign = await keyWith(() => true, (await world.aProject(owner)).id);
  const homeId = await aHome(world, projectId);
  const device = await at.device();
  await inHome(world, homeId, [device.id]);
  const user = await world.platform.db.one<{ id: string }>(sql`
    select user_id as id from home_members where project_id = ${projectId} and home_id = ${homeId}`);
  const app = await anApp(owner, projectId);
  ids = {
    projectId,
    deviceId: device.id,
    classId: device.deviceClass,
    homeId,
    appId: app.id,
    userId: user?.id ?? '',
  };
});

const calls = slices
  .flatMap(({ routes = [] }) => routes)
  .map(({ endpoint }) => endpoint as Endpoint)
  .filter(({ capability }) => capability !== undefined)
  .map(endpoint => [endpoint.name, endpoint, endpoint.capability as Capability] as const);

/** Sends what an endpoint's path and nothing else asks for. */
async function send(
  { fetch }: BackEnd,
  { method, path, access }: Endpoint,
): Promise<[number, { reason?: string }]> {
  const address = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none');
  const noun = typeof access === 'object' ? access.of : '';
  const named = noun === 'homeList' || path.includes(':') ? 'projectId' : `${noun}Id`;
  const isRead = method === 'GET';
  const query = isRead && !path.includes(':') ? `?${named}=${ids[named]}` : '';
  const response = await fetch(`${at.world.url}/service/v1${address}${query}`, {
    method,
    ...(!isRead && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(path.includes(':') ? {} : { [named]: ids[named] }),
    }),
  });
  return [response.status, await response.json().catch(() => ({}))];
}

it('there are calls for every capability', () => {
  for (const capability of capabilities) expect(calls.map(([, , needed]) => needed)).toContain(capability);
});

describe.each(calls)('%s', (_, endpoint, capability) => {
  it('is refused without its capability, which is named', async () => {
    const [status, problem] = await send(allBut[capability], endpoint);
    expect([status, problem]).toMatchObject([403, { reason: 'MISSING_CAPABILITY', context: { capability } }]);
  });

  it('does not show that another project has what it is about', async () => {
    const [status] = await send(foreign, endpoint);
    expect(status).toBe(404);
  });

  it('is refused by the session of a developer', async () => {
    const [status, { reason }] = await send({ ...only[capability], fetch: at.owner.fetch }, endpoint);
    expect([status, reason]).toEqual([401, 'KEY_REFUSED']);
  });
});

// Those that delete come last: the others are about the same rows.
const byHarm = calls.toSorted(
  ([, a], [, b]) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
);

it.each(byHarm)('%s is let in with its capability alone', async (_, endpoint, capability) => {
  const [status, { reason }] = await send(only[capability], endpoint);
  expect([401, 403, 500, 503]).not.toContain(status);
  expect(reason).not.toBe('RESOURCE_NOT_FOUND');
});
