import { afterAll, beforeAll, beforeEach } from 'vitest';
import { backEndOf } from '#server/apps/proxyRoutes/forward/backEnd.ts';
import { type ProxyLimits, proxyLimits as usual } from '#server/apps/proxyRoutes/forward/proxyLimits.ts';
import { anApp } from './apps.ts';
import { aBackEnd, aRoute, type BackEnd } from './backEnds.ts';
import { anEndUser, type CalledApp, type EndUser } from './endUsers.ts';
import { ProjectWorld } from './projectWorld.ts';
import { until } from './until.ts';
import { aWorld } from './world.ts';

const limits = {
  recheckMs: 100,
  closeMs: 200,
  sockets: { max: 8, waitingMax: 4 },
  // A single user makes all calls, except in tests of the shares.
  shares: { user: 1, home: 1 },
};

/** A user of an app, and a back end; each test has its own route to it. */
export class ProxyWorld extends ProjectWorld {
  backEnd!: BackEnd;
  app!: CalledApp;
  user!: EndUser;
  routeId = '';
  /** The path of this test's route, after the base URL of the app. */
  path = '';
  #routes = 0;

  async begin(given: Partial<ProxyLimits>): Promise<void> {
    const proxyLimits = { ...limits, ...given };
    this.world = await aWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' }, { proxyLimits });
    this.owner = await this.world.aDeveloper();
    this.projectId = (await this.world.aProject(this.owner)).id;
    this.backEnd = await aBackEnd();
    this.app = await anApp(this.owner, this.projectId);
    this.user = await anEndUser(this.world, this.app);
  }

  async beginTest(): Promise<void> {
    const { bodyPace } = usual;
    Object.assign(this.world.platform.proxyLimits, { idleMs: 30_000, streamIdleMs: 60_000, bodyPace });
    this.backEnd.answer = (request, response) => void request.on('end', () => response.end('ok')).resume();
    await this.open({ webSocket: true });
  }

  /** Opens another route, which `call` uses from now on. */
  async open(given: Parameters<typeof aRoute>[2]): Promise<void> {
    this.#routes += 1;
    const sourcePath = `/r${this.#routes}`;
    this.path = `/projects/${this.projectId}/appProxy${sourcePath}`;
    this.routeId = (await aRoute(this, this.backEnd.url, { sourcePath, ...given })).id;
  }

  call(init?: RequestInit, to = '/x', by = this.user): Promise<Response> {
    return by.fetch(`${by.baseUrl}${this.path}${to}`, init);
  }

  /** The status, with the reason if the platform answered, or else with the text. */
  async outcome(response: Response | Promise<Response>): Promise<string> {
    const one = await response;
    const text = await one.text().catch(() => 'broke off');
    return `${one.status} ${/"reason":"(\w+)"/.exec(text)?.[1] ?? text}`;
  }

  /**
   * Sets limits short enough to wait for. Only for the tests of these limits, because other tests would exceed them on
   * a busy machine.
   */
  hurry(): void {
    const bodyPace = { ...usual.bodyPace, graceMs: 1_000 };
    Object.assign(this.world.platform.proxyLimits, { idleMs: 1_000, streamIdleMs: 2_000, bodyPace });
  }

  slots() {
    return backEndOf(this.world.platform, this.routeId).slots;
  }

  allFree(): Promise<true> {
    return until(() => (this.slots().inUse === 0 && this.slots().waiting === 0) || undefined);
  }
}

/** For the tests of a file. */
export function aProxyWorld(given: Partial<ProxyLimits> = {}): ProxyWorld {
  const at = new ProxyWorld();
  beforeAll(() => at.begin(given));
  afterAll(async () => {
    await at.backEnd[Symbol.asyncDispose]();
    await at.world.end();
  });
  beforeEach(() => at.beginTest());
  return at;
}
