import { afterAll, beforeAll, beforeEach } from 'vitest';
import { aBackEnd, aRoute, type BackEnd } from './backEnds.ts';
import { anEndUser, type CalledApp, type EndUser } from './endUsers.ts';
import { sharingWorld } from './homes.ts';
import { forTheFile, ProjectWorld } from './projectWorld.ts';

/** A project with an app, a user of it, and a back end behind the route `/echo`. */
class EchoWorld extends ProjectWorld {
  backEnd!: BackEnd;
  app!: CalledApp;
  user!: EndUser;

  /** Resets the back end: nothing was received, and the answer is `ok`. */
  usual(): void {
    this.backEnd.received.length = 0;
    this.backEnd.answer = (request, response) => void request.on('end', () => response.end('ok')).resume();
  }

  projectPath(): string {
    return `/projects/${this.app.projectId}/appProxy`;
  }

  call(path: string, init?: RequestInit, by: EndUser = this.user): Promise<Response> {
    return by.fetch(`${by.baseUrl}${this.projectPath()}${path}`, init);
  }

  last(): BackEnd['received'][number] | undefined {
    return this.backEnd.received.at(-1);
  }
}

/** For the tests of a file. */
export function anEchoWorld(): EchoWorld {
  const at = forTheFile(new EchoWorld(), { ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
  beforeAll(async () => {
    at.backEnd = await aBackEnd();
    at.app = await sharingWorld(at, { hasRoles: true });
    at.projectId = at.app.projectId;
    at.user = await anEndUser(at.world, at.app);
    await aRoute(at, `${at.backEnd.url}/base`, { sourcePath: '/echo' });
  });
  afterAll(() => at.backEnd[Symbol.asyncDispose]());
  beforeEach(() => at.usual());
  return at;
}

/** The status, with the reason if the platform answered. */
export async function outcome(response: Response | Promise<Response>): Promise<string> {
  const answered = await response;
  const reason = /"reason":"(\w+)"/.exec(await answered.text())?.[1];
  return reason ? `${answered.status} ${reason}` : String(answered.status);
}
