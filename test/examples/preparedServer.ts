import { afterAll, beforeAll } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { aToken } from '#test/accessTokens.ts';
import { anOidcProvider, type OidcProvider } from '#test/oidcProvider.ts';
import { aWebServer, type WebServer } from '#test/webServer.ts';
import { aWorld, type SignedIn, type Visitor, type World } from '#test/world.ts';

/** A server on the day of the examples, a provider for sign-ins, and a back end for outgoing calls. */
export interface PreparedServer {
  world: World;
  owner: SignedIn;
  /** A client that calls only with an access token of the owner. */
  token: Visitor;
  provider: OidcProvider;
  backEnd: WebServer;
}

/** When the examples happen. */
const noon = new Date('2026-11-20T12:00:00Z');

/** For a test file. Host names of the examples exist only in them, so they get a public address here. */
export function aPreparedServer(): PreparedServer {
  const at = {} as PreparedServer;
  beforeAll(async () => {
    at.provider = await anOidcProvider();
    at.backEnd = await aWebServer((_, response) => response.end('{}'));
    at.world = await aWorld(
      { ALLOW_PRIVATE_TARGETS: '127.0.0.1' },
      { resolve: async host => [host === '127.0.0.1' ? host : '93.184.215.14'] },
    );
    at.world.pass(noon.getTime() - at.world.now().getTime());
    at.provider.register(`${at.world.url}/api/userAuth/callback`);
    at.owner = await at.world.aDeveloper();
    at.token = await aToken(at.world, at.owner);
    const { db } = at.world.platform;
    await db.run(sql`update developers set max_projects = 1000`);
  });
  afterAll(async () => {
    await at.world.end();
    await at.provider.end();
    await at.backEnd[Symbol.asyncDispose]();
  });
  return at;
}
