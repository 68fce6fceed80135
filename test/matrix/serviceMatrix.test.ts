import { beforeAll, describe, expect, it } from 'vitest';
import { type Capability, capabilities, type Endpoint } from '#contract/endpoint.ts';
import { sql } from '#server/infra/db/sql.ts';
import { slices } from '#server/slices.ts';
import { hostileBodies, hostileRanges } from '../hostileInput.ts';
import { aBackEnd, aKey, type BackEnd } from '../keys.ts';
import { aProjectWorld } from '../projectWorld.ts';
import { matrixRows } from './matrixRows.ts';

/** Every call of the service API × keys that may not make it × input that must be rejected. */
const at = aProjectWorld();
let key: BackEnd;
let foreign: BackEnd;
let suspended: BackEnd;
const lacking = new Map<Capability, BackEnd>();
let ids: Record<string, string>;

const calls = slices
  .flatMap(({ routes }) => routes ?? [])
  .map(({ endpoint }) => endpoint as Endpoint)
  .filter(({ capability }) => capability !== undefined);
const named = calls.map(endpoint => [endpoint.name, endpoint] as const);
const withBody = named.filter(([, { method }]) => method !== 'GET' && method !== 'DELETE');

const allowed = (...flags: readonly Capability[]) =>
  Object.fromEntries(capabilities.map(flag => [flag, flags.includes(flag)]));

beforeAll(async () => {
  const { world, owner, projectId } = at;
  ids = await matrixRows(world, projectId, owner);
  const other = (await world.aProject(owner)).id;
  key = await aKey(world, owner, { projectId, ...allowed(...capabilities) });
  foreign = await aKey(world, owner, { projectId: other, ...allowed(...capabilities) });
  const ended = await aKey(world, owner, { projectId, ...allowed(...capabilities) });
  await world.platform.db.run(sql`update keys set suspended = true where id = ${ended.key.id}`);
  suspended = ended;
  for (const flag of capabilities) {
    const rest = capabilities.filter(one => one !== flag);
    lacking.set(flag, await aKey(world, owner, { projectId, ...allowed(...rest) }));
  }
}, 30_000);

interface More {
  query?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  type?: string;
}

/** Sends a call for an existing row, with invalid input: a caller who may make the call gets 400. */
async function send(by: BackEnd, endpoint: Endpoint, more: More = {}): Promise<[number, string, unknown]> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none');
  const isNamed = endpoint.path.includes(':');
  const { query = `neverHeardOf=1${isNamed ? '' : `&projectId=${ids.projectId}`}`, body } = more;
  const response = await by.fetch(`${at.world.url}/service/v1${path}?${query}`, {
    method: endpoint.method,
    ...(endpoint.method !== 'GET' && {
      headers: { 'content-type': more.type ?? 'application/json' },
      body: body ?? JSON.stringify(isNamed ? {} : { projectId: ids.projectId }),
    }),
  });
  const answer = await response.json().catch(() => ({ reason: 'NO BODY' }));
  return [response.status, answer.reason, answer.context];
}

describe('every call of the service API', () => {
  it.each(named)('%s requires a key of its project with its capability', async (_, endpoint) => {
    const { capability } = endpoint;
    if (!capability) throw new Error('It is no call for keys.');
    expect((await send(key, endpoint))[0]).toBe(400);
    const none = aBackEnd(at.world, 'nonsense');
    for (const refused of [none, suspended])
      expect((await send(refused, endpoint)).slice(0, 2)).toEqual([401, 'KEY_REFUSED']);
    const without = lacking.get(capability);
    expect(without && (await send(without, endpoint))).toEqual([403, 'MISSING_CAPABILITY', { capability }]);
    expect((await send(foreign, endpoint))[0]).toBe(404);
  });

  describe.each(withBody)('%s', (_, endpoint) => {
    const hostile = hostileBodies.filter(([what]) => !isFine(endpoint, what));
    it.each(hostile)('refuses %s as its body with 400 and a reason', async (_what, body) => {
      const [status, reason] = await send(key, endpoint, { query: '', body });
      expect([status, /^[A-Z0-9_]+$/.test(reason)]).toEqual([400, true]);
    });

    it('refuses a form, plain text and two mebibytes', async () => {
      const form = { query: '', type: 'application/x-www-form-urlencoded', body: 'name=a' };
      const text = { query: '', type: 'text/plain', body: 'a' };
      const large = { query: '', body: `{"name":"${'a'.repeat(2 ** 21)}"}` };
      expect((await send(key, endpoint, form)).slice(0, 2)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect((await send(key, endpoint, text))[0]).toBe(415);
      expect((await send(key, endpoint, large)).slice(0, 2)).toEqual([413, 'TOO_LARGE']);
    });
  });

  describe.each(named.filter(([, { list }]) => list))('%s', (_, endpoint) => {
    it.each(hostileRanges)('refuses %s with 400', async range => {
      const query = endpoint.path.includes(':') ? range : `projectId=${ids.projectId}&${range}`;
      expect((await send(key, endpoint, { query }))[0]).toBe(400);
    });
  });
});

/** Some calls accept any object. */
function isFine({ body }: Endpoint, what: string): boolean {
  return ['an unknown field', 'a prototype'].includes(what) && body.safeParse({ neverHeardOf: 1 }).success;
}
