import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/all.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { roles } from '#contract/endpoint.ts';
import type { ProblemAnswer } from '#contract/problem.ts';
import { sql } from '#server/infra/db/sql.ts';
import { hostileBodies, hostileRanges } from '../hostileInput.ts';
import { type SignedIn, theWorld, type Visitor } from '../world.ts';
import { matrixRows } from './matrixRows.ts';

/**
 * Every endpoint × everyone who may not call it × input that must be rejected. Generated, so that none is forgotten.
 */
const world = theWorld();
let owner: SignedIn;
let stranger: SignedIn;
let foreigner: SignedIn;
let unverified: SignedIn;
let suspended: SignedIn;
let ids: Record<string, string>;

beforeAll(async () => {
  await world.platform.db.run(sql`insert into organizations (id, name) values ('other', 'Other')`);
  [owner, stranger, foreigner, unverified, suspended] = await Promise.all([
    world.aDeveloper(),
    world.aDeveloper(),
    world.aDeveloper({ orgId: 'other' }),
    world.aDeveloper(),
    world.aDeveloper(),
  ]);
  const project = await world.aProject(owner);
  ids = await matrixRows(world, project.id, owner);
  await world.platform.db.run(
    sql`update developers set verified = false where id = ${unverified.developer.id}`,
  );
  await world.platform.db.run(
    sql`update developers set suspended = true where id = ${suspended.developer.id}`,
  );
}, 30_000);

const named = endpoints.map(endpoint => [endpoint.name, endpoint] as const);
const guarded = named.filter(([, { access }]) => access !== 'public');
const ofProjects = named.filter(([, { access }]) => typeof access === 'object');
const withBody = named.filter(([, { method }]) => method !== 'GET' && method !== 'DELETE');

/** Calls an endpoint with its path parameters and without any input. */
async function send(
  by: Visitor,
  endpoint: Endpoint,
  more: RequestInit = {},
): Promise<[number, ProblemAnswer]> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none');
  const named = subjectOf(endpoint);
  const inQuery =
    endpoint.method === 'GET' && !endpoint.path.includes(':projectId') ? `?${named}=${ids[named]}` : '';
  const body = endpoint.form ? `projectId=${ids.projectId}` : JSON.stringify({ [named]: ids[named] });
  const type = endpoint.form ? 'application/x-www-form-urlencoded' : 'application/json';
  const response = await by.fetch(`${world.url}/api${path}${inQuery}`, {
    method: endpoint.method,
    headers: { 'x-console-guard': '1', ...(endpoint.method !== 'GET' && { 'content-type': type }) },
    ...(endpoint.method !== 'GET' && { body }),
    ...more,
  });
  return [response.status, await response.json().catch(() => ({ reason: 'NO BODY' }))];
}

/**
 * The field of the body or query that names what a call is about: its project, or the noun that its access refers to.
 */
function subjectOf({ access, path }: Endpoint): string {
  const ofProject = ['project', 'homeList', 'deviceList'];
  const isOther = typeof access === 'object' && !ofProject.includes(access.of) && !path.includes(':');
  return isOther ? `${access.of}Id` : 'projectId';
}

describe('every endpoint', () => {
  it.each(named)('%s declares who may call it', (_, { access }) => {
    const known = ['public', 'login', 'verified', 'self'];
    if (typeof access === 'object') expect(roles).toContain(access.role);
    else expect(known).toContain(access);
  });

  it.each(named)('%s writes an audit entry if it changes something', (_, { method, audit }) => {
    // A GET with an audit sentence reads a secret.
    if (audit === undefined) expect(method).toBe('GET');
  });

  it.each(guarded)('%s refuses a caller without a session', async (_, endpoint) => {
    const [status, { reason }] = await send(world.visitor(), endpoint);
    expect([status, reason]).toEqual([401, 'NO_LOGIN']);
  });

  it.each(guarded)('%s refuses an invalid session cookie', async (_, endpoint) => {
    const visitor = world.visitor();
    visitor.cookies.set('mooring', 'nonsense');
    const [status, { reason }] = await send(visitor, endpoint);
    expect([status, reason]).toEqual([401, 'NO_LOGIN']);
  });

  it.each(guarded)('%s signs a suspended account out', async (_, endpoint) => {
    const [status, { reason }] = await send(suspended, endpoint);
    expect([status, reason]).toEqual([401, 'ACCOUNT_SUSPENDED']);
  });

  it.each(ofProjects)('%s refuses an unverified account', async (_, endpoint) => {
    const [status, { reason }] = await send(unverified, endpoint);
    expect([status, reason]).toEqual([403, 'UNVERIFIED_ACCOUNT']);
  });

  it.each(ofProjects)('%s refuses somebody who is not a member of the project', async (_, endpoint) => {
    const [status, { reason }] = await send(stranger, endpoint);
    expect(status === 404 || reason === 'NOT_A_MEMBER').toBe(true);
  });

  it.each(ofProjects)('%s answers not found to another organization', async (_, endpoint) => {
    const [status] = await send(foreigner, endpoint);
    expect(status).toBe(404);
  });

  it.each(named.filter(([, { access }]) => access === 'self'))(
    '%s refuses another developer',
    async (_, endpoint) => {
      const [status, { reason }] = await send(stranger, endpoint);
      expect([status, reason]).toEqual([404, 'DEVELOPER_NOT_FOUND']);
    },
  );

  it.each(named.filter(([, { method }]) => method !== 'GET'))(
    '%s refuses a call without the guard header',
    async (_, endpoint) => {
      const [status, { reason }] = await send(owner, endpoint, {
        headers: { 'content-type': 'application/json' },
      });
      expect([status, reason]).toEqual([403, 'GUARD_MISSING']);
    },
  );

  it.each(named)('%s refuses a foreign origin', async (_, endpoint) => {
    const headers = {
      'x-console-guard': '1',
      origin: 'https://evil.example',
      'content-type': 'application/json',
    };
    const [status, { reason }] = await send(owner, endpoint, { headers });
    expect([status, reason]).toEqual([403, 'ORIGIN_REFUSED']);
  });

  describe.each(withBody.filter(([, { form }]) => !form))('%s', (_, endpoint) => {
    it.each(hostileBodies)('refuses %s as its body with 400 and a reason', async (_what, body) => {
      const [status, { reason, message }] = await send(owner, endpoint, { body });
      expect(status).toBe(400);
      expect(reason).toMatch(/^[A-Z0-9_]+$/);
      expect(message).not.toMatch(/ at .*\(|node_modules|SELECT/i);
    });

    it('refuses a form with 415', async () => {
      const headers = { 'x-console-guard': '1', 'content-type': 'application/x-www-form-urlencoded' };
      const [status, { reason }] = await send(owner, endpoint, { headers, body: 'name=a' });
      expect([status, reason]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    });

    it('refuses plain text with 415', async () => {
      const headers = { 'x-console-guard': '1', 'content-type': 'text/plain' };
      expect((await send(owner, endpoint, { headers }))[0]).toBe(415);
    });

    it('refuses two mebibytes with 413', async () => {
      const [status, { reason }] = await send(owner, endpoint, { body: `{"name":"${'a'.repeat(2 ** 21)}"}` });
      expect([status, reason]).toEqual([413, 'TOO_LARGE']);
    });
  });

  const lists = named.filter(([, { list }]) => list);
  describe.each(lists)('%s', (_, endpoint) => {
    it.each(hostileRanges)('refuses %s with 400', async range => {
      const path = endpoint.path.replace(/:(\w+)/g, (_all, name: string) => ids[name] ?? 'none');
      const of = subjectOf(endpoint);
      const inQuery = endpoint.path.includes(':projectId') ? '' : `${of}=${ids[of]}&`;
      const query = endpoint.name === 'listProjects' ? '' : inQuery;
      const response = await owner.fetch(`${world.url}/api${path}?${query}${range}`, {
        headers: { 'x-console-guard': '1' },
      });
      expect(response.status).toBe(400);
    });
  });
});

it('the prototype of all objects is unchanged', () => {
  expect('polluted' in {}).toBe(false);
});

it.each(named.filter(([, { method }]) => method === 'GET'))(
  '%s answers HEAD as it answers GET, without a body and without effects',
  async (_, endpoint) => {
    const [refused] = await send(world.visitor(), endpoint, { method: 'HEAD' });
    const [status] = await send(owner, endpoint, { method: 'HEAD' });
    expect(refused).toBe(endpoint.access === 'public' ? status : 401);
    expect(status).not.toBe(405);
  },
);

it('a path answers 405 to a method it does not support', async () => {
  const response = await owner.fetch(`${world.url}/api/projects`, {
    method: 'PUT',
    headers: { 'x-console-guard': '1', 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(405);
});
