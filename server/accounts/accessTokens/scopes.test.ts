import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/all.ts';
import { allowsCall, type Endpoint, tokenScopes } from '#contract/endpoint.ts';
import type { ProblemAnswer } from '#contract/problem.ts';
import { aToken } from '#test/accessTokens.ts';
import { type SignedIn, theWorld, type Visitor } from '#test/world.ts';

/** Every endpoint × every scope of an access token. Generated, so that no endpoint is forgotten. */
const world = theWorld();
let owner: SignedIn;
let projectId: string;
let otherId: string;
const by = {} as Record<(typeof tokenScopes)[number] | 'elsewhere', Visitor>;

beforeAll(async () => {
  owner = await world.aDeveloper();
  projectId = (await world.aProject(owner)).id;
  otherId = (await world.aProject(owner)).id;
  for (const scope of tokenScopes) by[scope] = await aToken(world, owner, { scope });
  by.elsewhere = await aToken(world, owner, { projectIds: [otherId] });
});

/** Calls the endpoint for an existing project and rows that do not exist. */
async function send(who: Visitor, { method, path, form }: Endpoint): Promise<[number, ProblemAnswer]> {
  const at = path.replace(/:(\w+)/g, (_, name: string) => {
    if (name === 'projectId') return projectId;
    return name === 'developerId' ? owner.developer.id : 'none';
  });
  const inQuery = method === 'GET' && !path.includes(':projectId') ? `?projectId=${projectId}` : '';
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const response = await who.fetch(`${world.url}/api${at}${inQuery}`, {
    method,
    redirect: 'manual',
    ...(method !== 'GET' && {
      headers: { 'content-type': type },
      body: form ? `projectId=${projectId}` : JSON.stringify({ projectId }),
    }),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream) await response.body?.cancel();
  return [response.status, isStream ? {} : await response.json().catch(() => ({}))];
}

const named = endpoints.map(endpoint => [endpoint.name, endpoint] as const);

describe.each(named)('%s', (_, endpoint) => {
  it.each(tokenScopes)('is open to a token of scope %s only if that is enough', async scope => {
    const isEnough = scope === 'all' || [scope, 'any'].includes(endpoint.tokenScope);
    const [status, { reason }] = await send(by[scope], endpoint);
    if (endpoint.tokenScope !== 'none' && isEnough) {
      expect(reason).not.toBe('TOKEN_SCOPE');
      expect([401, 500]).not.toContain(status);
    } else expect([status, reason]).toEqual([403, 'TOKEN_SCOPE']);
  });
});

it.each(named.filter(([, { access }]) => typeof access === 'object'))(
  '%s is closed to a token for another project',
  async (_, endpoint) => {
    const [status, { reason }] = await send(by.elsewhere, endpoint);
    expect([403, 404]).toContain(status);
    if (status === 403) expect(reason).toBe('TOKEN_SCOPE');
  },
);

describe('the declared scopes', () => {
  const of = (scope: string) => endpoints.filter(({ tokenScope }) => tokenScope === scope);

  it('let a read token change nothing and read no secret', () => {
    const changes = ({ method, audit }: Endpoint) =>
      audit !== null && (method !== 'GET' || audit !== undefined);
    const faults = [...of('any'), ...of('read')].filter(changes);
    expect(faults.map(({ name }) => name)).toEqual([]);
  });

  it('let a read token make every call of viewers that changes nothing', () => {
    const harmless = endpoints.filter(
      ({ access, audit }) =>
        typeof access === 'object' && 'role' in access && access.role === 'viewer' && audit === null,
    );
    expect(harmless.map(({ name }) => name)).toContain('replayRule');
    expect(harmless.filter(call => !allowsCall('read', call))).toEqual([]);
  });

  it('close accounts, teams and tokens to tokens of any scope', () => {
    const paths = /^\/(auth|developers)\b|^\/projects\/:projectId\/members|accessTokens/;
    const open = endpoints.filter(
      ({ path, method, tokenScope }) => paths.test(path) && method !== 'GET' && tokenScope !== 'none',
    );
    expect(open.map(({ name }) => name)).toEqual([]);
    expect(of('none').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['deleteProject', 'createProject', 'removeMember', 'listSessions', 'logIn']),
    );
    expect(of('none').filter(({ reauth }) => reauth)).not.toEqual([]);
    expect(endpoints.filter(({ reauth, tokenScope }) => reauth && tokenScope !== 'none')).toEqual([]);
  });

  it('give the firmware scope access to firmware only', () => {
    const firmware = /^\/(components|componentVersions|bundles|channels|rollouts)\b/;
    expect(of('firmware').filter(({ path }) => !firmware.test(path))).toEqual([]);
    expect(of('all').filter(({ path }) => firmware.test(path))).toEqual([]);
    expect(of('read').filter(({ path }) => firmware.test(path))).toEqual([]);
  });

  it('let a firmware token read no users, homes, events, alerts or logs', () => {
    const personal =
      /\b(users?|homes|members|\w*events?|alerts?|\w*logs?|\w*logEntries|logRequests|apps|keys|smartModules|emailTemplates)\b/i;
    expect(of('any').filter(({ access, path }) => access !== 'public' && personal.test(path))).toEqual([]);
  });
});
