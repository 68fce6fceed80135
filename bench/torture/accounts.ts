import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '#contract/client.ts';
import { createProject } from '#contract/project.ts';
import { joinPostgres, startPostgres } from '#server/infra/db/postgres.ts';
import { openDatabase, sql } from '#server/infra/db/sql.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';

const clients = 50;
const rounds = 10;
const roundMs = { least: 700, most: 2200 };

/**
 * Fifty clients create projects while the server, or its PostgreSQL, is killed at random moments. Counts projects that
 * were acknowledged but are missing afterwards, and projects that exist twice although they were requested once.
 */
export async function run(): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-torture-'));
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()) };
  let server = await startMooring(env);
  const developers = await signUpAll(server.url);
  await raiseLimits(dataDir);

  const acknowledged = new Map<string, string>();
  const state = { stopped: false, failed: 0 };
  const work = developers.map(({ client }, i) => createForEver(client, `c${i}`, acknowledged, state));
  const recoveriesMs: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    await wait(roundMs.least + Math.random() * (roundMs.most - roundMs.least));
    const killedAt = performance.now();
    const victim = round % 2 === 1 ? 'server' : 'PostgreSQL';
    if (victim === 'server') server = await killServer(server, env);
    else await killPostgres(dataDir);
    await serving(server.url);
    recoveriesMs.push(performance.now() - killedAt);
    console.log(
      `round ${round}: killed the ${victim}, serving again after ${recoveriesMs.at(-1)?.toFixed(0)} ms, ${acknowledged.size} acknowledged`,
    );
  }
  state.stopped = true;
  await Promise.all(work);
  await server.stop();

  const { missing, doubled, unaudited } = await compare(dataDir, acknowledged);
  console.log(
    `${acknowledged.size} acknowledged over ${rounds} kills, ${state.failed} calls failed and were told so; ` +
      `${missing} lost, ${doubled} doubled, ${unaudited} without their audit entry; ` +
      `serving again after at most ${Math.max(...recoveriesMs).toFixed(0)} ms`,
  );
  rmSync(dataDir, { recursive: true, force: true });
  return missing + doubled + unaudited === 0 && acknowledged.size > 0;
}

/** A few at a time: each sign-up hashes a password twice. */
async function signUpAll(url: string) {
  const developers: Newcomer[] = [];
  for (let i = 0; i < clients; i += 5) {
    const some = Array.from({ length: 5 }, (_, k) => newcomer(url, `torture${i + k}@example.com`));
    developers.push(...(await Promise.all(some)));
  }
  return developers;
}

async function raiseLimits(dataDir: string): Promise<void> {
  const { url } = await joinPostgres({ dataDir, log: { warn: console.warn } });
  const db = openDatabase(url, { max: 1 });
  await db.run(sql`update developers set max_projects = 1000000`);
  await db.end();
}

/** A failed call is not retried: whether it was stored is not guaranteed, only that it is not stored twice. */
async function createForEver(
  client: Client,
  who: string,
  acknowledged: Map<string, string>,
  state: { stopped: boolean; failed: number },
): Promise<void> {
  for (let i = 0; !state.stopped; i++) {
    const name = `${who}-${i}`;
    try {
      const { id } = await client.call(createProject, { body: { name } });
      acknowledged.set(name, id);
    } catch {
      state.failed += 1;
      await wait(20);
    }
  }
}

async function killServer(server: ServerProcess, env: Record<string, string>): Promise<ServerProcess> {
  const gone = new Promise(resolve => server.child.once('exit', resolve));
  server.child.kill('SIGKILL');
  await gone;
  return startMooring(env);
}

async function killPostgres(dataDir: string): Promise<void> {
  const folder = realpathSync(join(dataDir, 'postgres'));
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
}

/** Waits until a call that needs the database is answered. */
async function serving(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/organizations/default`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(10);
  }
}

async function compare(dataDir: string, acknowledged: Map<string, string>) {
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const db = openDatabase(postgres.url, { max: 1 });
  const rows = await db.many<{ id: string; name: string; audited: boolean }>(sql`
    select p.id, p.name, exists (
      select 1 from log_entries l where l.project_id = p.id and l.stream = 'audit' and l.action = 'createProject') as audited
    from projects p where not p.is_sample`);
  await db.end();
  await postgres.stop();
  const ids = new Set(rows.map(({ id }) => id));
  return {
    missing: [...acknowledged.values()].filter(id => !ids.has(id)).length,
    doubled: rows.length - new Set(rows.map(({ name }) => name)).size,
    unaudited: rows.filter(({ audited }) => !audited).length,
  };
}
