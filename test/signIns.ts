import { afterAll, beforeAll } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Project } from '#contract/project.ts';
import {
  createUserAuthMethod,
  readUserAuthTest,
  startUserAuthTest,
  type UserAuthTest,
} from '#contract/userAuthMethod.ts';
import type { Given as ServerGiven } from '#server/start.ts';
import { anOidcProvider, type OidcProvider } from './oidcProvider.ts';
import { aWorld, type SignedIn, type Visitor, type World } from './world.ts';

type NewMethod = BodyOf<typeof createUserAuthMethod>;

interface SignIns {
  world: World;
  /** A real provider. */
  provider: OidcProvider;
  owner: SignedIn;
  project: Project;
}

/** For a test file: a world that may call loopback, a provider there, and the calls of sign-in methods. */
export function signIns(given: ServerGiven = {}) {
  const at = {} as SignIns;
  beforeAll(async () => {
    at.provider = await anOidcProvider();
    at.world = await aWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' }, given);
    at.provider.register(`${at.world.url}/api/userAuth/callback`);
    at.owner = await at.world.aDeveloper();
    at.project = await at.world.aProject(at.owner);
  });
  afterAll(async () => {
    await at.world.end();
    await at.provider.end();
  });
  return { at, ...methodActs(at), ...testActs(at) };
}

function methodActs(at: SignIns) {
  /** The input for a new method that uses the real provider. */
  function method({ issuer = at.provider.issuer, ...more }: Partial<NewMethod> & { issuer?: string } = {}) {
    const { clientId, clientSecret } = at.provider;
    const made: NewMethod = {
      label: 'Test login',
      protocol: 'oidc',
      config: { issuer, clientId, clientSecret },
      ...more,
    };
    return made;
  }
  return {
    method,
    create: (body: NewMethod, { id: projectId } = at.project) =>
      at.owner.client.call(createUserAuthMethod, { params: { projectId }, body }),
    paramsOf: ({ id: methodId }: { id: string }, { id: projectId } = at.project) => ({ projectId, methodId }),
    async aMethod({ issuer, clientId = 'client', clientSecret = 'secret' }: Partial<OidcProvider>) {
      const body = method({ config: { issuer: issuer ?? '', clientId, clientSecret } });
      const params = { projectId: at.project.id };
      return (await at.owner.client.call(createUserAuthMethod, { params, body })).id;
    },
  };
}

function testActs(at: SignIns) {
  return {
    start: (methodId: string, by: Visitor = at.owner) =>
      by.client.call(startUserAuthTest, { params: { projectId: at.project.id, methodId } }),
    outcome: (methodId: string, testId: string, by: Visitor = at.owner): Promise<UserAuthTest> =>
      by.client.call(readUserAuthTest, { params: { projectId: at.project.id, methodId, testId } }),
    /** Follows the provider's redirect as the browser does; returns the status and the next redirect. */
    async comeBack(to: string, by: Visitor = at.owner): Promise<[status: number, location: string | null]> {
      const response = await by.fetch(to, { redirect: 'manual' });
      return [response.status, response.headers.get('location')];
    },
    callback: (methodId: string, query: Record<string, string>) =>
      `${at.world.url}/api/userAuth/callback/${methodId}?${new URLSearchParams(query)}`,
    pageOf: (methodId: string, testId: string) =>
      `/projects/${at.project.id}/user_auth_methods/${methodId}?test=${testId}`,
  };
}
