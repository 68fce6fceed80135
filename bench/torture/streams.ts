import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { type Database, openDatabase } from '#server/infra/db/sql.ts';
import { newcomer } from '#test/newcomer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { Listener } from '../streams/listener.ts';
import { type Homes, happen, seedHomes } from '../streams/seedHomes.ts';

const readers = 20;
const perTransaction = 20;
const everyMs = 10;
const cutMs = { least: 50, most: 1500 };
const killEveryMs = 4_000;
const catchUpMs = 60_000;

/** The numbers that one reader received from each device, in order of arrival. */
type Heard = Map<string, number[]>;

interface Drill {
  servers: ServerProcess[];
  homes: Homes;
  isOver: boolean;
  /** How often all readers together were cut and reconnected. */
  cuts: number;
}

/**
 * `npm run torture -- streams 60`: seconds. Readers of event streams are cut repeatedly, and reconnect to one of two
 * processes on one database, which are killed in turn. One reader is disconnected throughout and reconnects at the end.
 * Counts events that were missing, duplicated or out of order.
 */
export async function run(words: string[]): Promise<boolean> {
  const seconds = Number(words[0] ?? 60);
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-torture-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const db = openDatabase(postgres.url, { max: 2 });
  const envs = [await freePort(), await freePort()].map(port => ({
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    PORT: String(port),
  }));
  const servers: ServerProcess[] = [];
  for (const env of envs) servers.push(await startMooring(env));
  const { client } = await newcomer(servers[0]?.url ?? '', 'torture@example.com');
  const homes = await seedHomes(db, client, { homes: readers, members: 1 });
  const drill: Drill = { servers, homes, isOver: false, cuts: 0 };
  const away: Heard = new Map();
  const left = await listen(drill, 0, away, undefined);
  left.close();
  const untilMs = performance.now() + seconds * 1000;
  const reading = homes.tokens.map((_, reader) => readOn(drill, reader, left.lastId));
  const [sent, kills] = await Promise.all([send(db, homes, untilMs), kill(drill, envs, untilMs)]);
  drill.isOver = true;
  const all = [...(await Promise.all(reading)), { heard: away, lastId: left.lastId }];
  const results = await Promise.all(
    all.map(async ({ heard, lastId }, at) => {
      const last = await listen(drill, at % readers, heard, lastId);
      const device = homes.deviceIds[at % readers] ?? '';
      await toldUpTo(heard, device, sent - 1);
      last.close();
      return compare(heard.get(device) ?? [], sent);
    }),
  );
  const total = (of: 'lost' | 'doubled' | 'disordered') => results.reduce((sum, one) => sum + one[of], 0);
  console.log(
    `${sent * readers} events, ${drill.cuts} cuts, ${kills} kills of one of two processes; one reader was away for ` +
      `${seconds} s: ${total('lost')} lost, ${total('doubled')} doubled, ${total('disordered')} out of order`,
  );
  await Promise.all(servers.map(server => server.stop()));
  await db.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
  return total('lost') + total('doubled') + total('disordered') === 0;
}

/** Each device sends increasing numbers. Returns the last one. */
async function send(db: Database, { projectId, deviceIds }: Homes, untilMs: number): Promise<number> {
  let n = 0;
  while (performance.now() < untilMs) {
    for (let from = 0; from < deviceIds.length; from += perTransaction)
      await happen(db, projectId, deviceIds.slice(from, from + perTransaction), device => ({ device, n }));
    n += 1;
    await wait(everyMs);
  }
  return n;
}

async function kill(drill: Drill, envs: Record<string, string>[], untilMs: number): Promise<number> {
  let kills = 0;
  while (performance.now() + killEveryMs < untilMs) {
    await wait(killEveryMs);
    const at = kills % drill.servers.length;
    const server = drill.servers[at];
    const gone = new Promise(resolve => server?.child.once('exit', resolve));
    server?.child.kill('SIGKILL');
    await gone;
    drill.servers[at] = await startMooring(envs[at] ?? {});
    kills += 1;
  }
  return kills;
}

function listen({ servers, homes }: Drill, reader: number, heard: Heard, after: string | undefined) {
  const { url } = servers[Math.floor(Math.random() * servers.length)] as ServerProcess;
  const app = `${homes.appId}@${homes.projectId}`;
  return Listener.open({ url, app, token: homes.tokens[reader] ?? '', after }, message => {
    const [, device = '', n] = /"device":"(\w+)","n":(\d+)/.exec(message) ?? [];
    if (n === undefined) return;
    const numbers = heard.get(device) ?? [];
    numbers.push(Number(n));
    heard.set(device, numbers);
  });
}

/** Is cut at random moments, and resumes after the last message it received, until the drill is over. */
async function readOn(drill: Drill, reader: number, from: string | undefined) {
  const heard: Heard = new Map();
  let lastId = from;
  while (!drill.isOver) {
    const listener = await listen(drill, reader, heard, lastId).catch(() => undefined);
    if (listener) {
      await Promise.race([wait(cutMs.least + Math.random() * (cutMs.most - cutMs.least)), listener.ended()]);
      listener.close();
      lastId = listener.lastId ?? lastId;
      drill.cuts += 1;
    } else await wait(20);
  }
  return { heard, lastId };
}

async function toldUpTo(heard: Heard, device: string, last: number): Promise<void> {
  const untilMs = performance.now() + catchUpMs;
  while (heard.get(device)?.at(-1) !== last && performance.now() < untilMs) await wait(20);
}

function compare(
  numbers: readonly number[],
  sent: number,
): Record<'lost' | 'doubled' | 'disordered', number> {
  const different = new Set(numbers);
  return {
    lost: sent - different.size,
    doubled: numbers.length - different.size,
    disordered: numbers.filter((n, at) => at > 0 && n < (numbers[at - 1] ?? 0)).length,
  };
}
