import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Developer, logIn, signUp, verify } from '#contract/account.ts';
import { type Client, createClient } from '#contract/client.ts';
import { createProject, type Project } from '#contract/project.ts';
import { hourMs } from '#rules/time/durations.ts';
import { type Config, readConfig } from '#server/infra/config.ts';
import { readMails } from '#server/mail/sending/waiting.ts';
import { type Given, type Started, startServer } from '#server/start.ts';
import { browserFetch } from './browserFetch.ts';
import { testDatabase } from './database.ts';

/** A separate browser: a typed client, and its plain fetch for requests that no client would send. */
export interface Visitor {
  client: Client;
  fetch: typeof fetch;
  cookies: Map<string, string>;
}

export interface SignedIn extends Visitor {
  developer: Developer;
  email: string;
  password: string;
}

export interface World extends Started {
  /** Advances the server's clock. */
  pass(ms: number): void;
  /** Stops the server's clock while work is done, for what has to happen at one moment on a slow computer too. */
  atOneMoment<T>(work: () => Promise<T>): Promise<T>;
  now(): Date;
  /** A new browser; `headers` are added to every call, as a proxy would. */
  visitor(headers?: Record<string, string>): Visitor;
  /** A developer who is signed up, verified and signed in. */
  aDeveloper(given?: { name?: string; orgId?: string }): Promise<SignedIn>;
  aProject(owner: SignedIn, name?: string): Promise<Project>;
  /** The latest e-mails to an address, newest first. */
  mailsTo(email: string): Promise<{ subject: string; text: string; token: string }[]>;
  end(): Promise<void>;
}

/** Moves the clock to half past the hour, so that no hour, day or month ends during a test. */
export function toHalfPast(world: Pick<World, 'now' | 'pass'>): void {
  world.pass(1.5 * hourMs - (world.now().getTime() % hourMs));
}

let count = 0;
/** A word that nothing else in this run uses. */
export function unique(word: string): string {
  count += 1;
  return `${word}-${process.pid}-${count}`;
}

/** For the tests of a file: a world that is started before them. */
export function theWorld(settings: Record<string, string> = {}): World {
  const world = {} as World;
  beforeAll(async () => {
    Object.assign(world, await aWorld(settings));
  });
  afterAll(() => world.end());
  return world;
}

/** The real server on its own database. `settings` are environment variables. */
export async function aWorld(settings: Record<string, string> = {}, given: Given = {}): Promise<World> {
  const database = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-world-'));
  const defaults = {
    PORT: '0',
    MQTT_PORT: 'off',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    // Creating it takes as long as the rest of a developer; tests of the sample project turn it on.
    SAMPLE_PROJECT: 'off',
  };
  const config: Config = readConfig({
    ...defaults,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ...settings,
  });
  let offsetMs = 0;
  let stoppedAt: number | undefined;
  const now = () => new Date((stoppedAt ?? Date.now()) + offsetMs);
  const started = await startServer(config, {
    clock: now,
    consoleDir: join(dataDir, 'no-console'),
    ...given,
  });

  function visitor(headers: Record<string, string> = {}): Visitor {
    const cookies = new Map<string, string>();
    const fetch = browserFetch(cookies, headers);
    return { cookies, fetch, client: createClient({ baseUrl: `${started.url}/api`, fetch }) };
  }

  const world: World = {
    ...started,
    now,
    visitor,
    pass: ms => {
      offsetMs += ms;
    },
    async atOneMoment(work) {
      stoppedAt = Date.now();
      try {
        return await work();
      } finally {
        stoppedAt = undefined;
      }
    },
    async mailsTo(email) {
      const mails = (await readMails(started.platform.db, started.platform.sealing)).filter(
        mail => mail.to === email,
      );
      return mails.map(({ subject, text }) => ({
        subject,
        text,
        token: /token=([\w-]+)/.exec(text)?.[1] ?? '',
      }));
    },
    async aDeveloper({ name = 'Ada Lovelace', orgId = 'default' } = {}) {
      const given = { email: `${unique('dev')}@example.com`, password: `${unique('secret')} horse` };
      const browser = visitor();
      await browser.client.call(signUp, { body: { ...given, orgId, name } });
      const [mail] = await world.mailsTo(given.email);
      await browser.client.call(verify, { body: { token: mail?.token ?? '' } });
      const answer = await browser.client.call(logIn, { body: { ...given, orgId } });
      if (!('developer' in answer)) throw new Error('A new account needs no second factor.');
      return { ...browser, ...given, developer: answer.developer };
    },
    aProject: (owner, name = unique('project')) => owner.client.call(createProject, { body: { name } }),
    async end() {
      await started.stop();
      await database.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return world;
}
