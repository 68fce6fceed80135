import type { Postgres } from '#server/infra/db/postgres.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';

export const writers = 4;
export const workers = 2;

/** The processes that are killed; each restarts at the same port. */
export class Processes {
  readonly #env: Record<string, string>;
  readonly #postgres: Postgres;
  readonly #gateways: ServerProcess[] = [];
  readonly #workers: ServerProcess[] = [];
  readonly ports: number[] = [];
  api: ServerProcess;

  private constructor(env: Record<string, string>, postgres: Postgres, api: ServerProcess) {
    this.#env = env;
    this.#postgres = postgres;
    this.api = api;
  }

  static async start(dataDir: string, postgres: Postgres): Promise<Processes> {
    const env = { DATA_DIR: dataDir, DATABASE_URL: postgres.url, ALLOW_PRIVATE_TARGETS: '127.0.0.1' };
    const all = new Processes(env, postgres, await startMooring({ ...env, ROLES: 'api' }));
    for (let i = 0; i < writers; i++) {
      all.ports.push(await freePort());
      all.#gateways.push(await all.#gateway(i));
    }
    for (let i = 0; i < workers; i++) all.#workers.push(await all.#worker());
    return all;
  }

  #gateway(i: number): Promise<ServerProcess> {
    return startMooring({ ...this.#env, ROLES: 'gateway', MQTT_PORT: String(this.ports[i]) });
  }

  #worker(): Promise<ServerProcess> {
    return startMooring({ ...this.#env, ROLES: 'worker' });
  }

  async kill(victim: Victim): Promise<void> {
    if (victim === 'PostgreSQL') {
      process.kill(this.#postgres.pid() ?? 0, 'SIGKILL');
      return;
    }
    const some = victim === 'gateway' ? this.#gateways : this.#workers;
    const at = Math.floor(Math.random() * some.length);
    await killed(some[at]);
    some[at] = victim === 'gateway' ? await this.#gateway(at) : await this.#worker();
  }

  async stop(): Promise<void> {
    await Promise.all([this.api, ...this.#gateways, ...this.#workers].map(one => one.stop()));
  }
}

export const victims = ['worker', 'gateway', 'PostgreSQL'] as const;
export type Victim = (typeof victims)[number];

async function killed(one: ServerProcess | undefined): Promise<void> {
  if (!one) return;
  const gone = new Promise(resolve => one.child.once('exit', resolve));
  one.child.kill('SIGKILL');
  await gone;
}
