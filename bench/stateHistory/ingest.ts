import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '#server/infra/db/sql.ts';
import { freePort, startMooring } from '#test/serverProcess.ts';
import type { LoadDevice } from '../gateway/loadDevice.ts';
import { connectAll } from '../gateway/loads.ts';
import type { Ours } from '../gateway/targets.ts';
import { processorMs } from '../paired/processorTime.ts';

const restMs = 1_000;
const hook = join(import.meta.dirname, 'withoutHistory.ts');

/** The results of a round, per report where not stated otherwise. */
export interface Round {
  perS: number;
  gatewayMicros: number;
  postgresMicros: number;
  bothMicros: number;
  walBytes: number;
}

/** What the servers store: the whole history, all but its numbers, or nothing. */
export const servers = ['whole', 'changes', 'none'] as const;
export type Ingest = Record<(typeof servers)[number], Round[]>;

const hooks = { changes: 'numbers', none: 'everything' };

interface Asked {
  publishers: number;
  seconds: number;
  rounds: number;
}

/** Three servers on one database take turns. */
export async function measureIngest(
  ours: Ours,
  place: { dataDir: string; databaseUrl: string; postgresPid: number },
  { publishers, seconds, rounds }: Asked,
): Promise<Ingest> {
  const changes = await startWithout(place, hooks.changes);
  const none = await startWithout(place, hooks.none);
  const targets = { whole: ours, changes: { ...ours, ...changes }, none: { ...ours, ...none } };
  const figures: Ingest = { whole: [], changes: [], none: [] };
  // The first round is a warm-up for all.
  for (let round = 0; round <= rounds; round++) {
    for (const name of servers.map((_, at) => servers[(at + round) % servers.length] ?? 'whole')) {
      const target = targets[name];
      const { devices } = await connectAll(target, ours.identities.slice(0, publishers));
      const one = await measureRound(ours, { devices, seconds, pids: [target.pid, place.postgresPid] });
      for (const device of devices) device.end();
      if (one.rows > 0 !== (name !== 'none'))
        throw new Error(`The server with ${name} kept ${one.rows} rows.`);
      if (round > 0) figures[name].push(one);
      await wait(restMs);
    }
  }
  await Promise.all([changes.stop(), none.stop()]);
  return figures;
}

async function startWithout(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string },
  what: string,
): Promise<{ port: number; pid: number; stop: () => Promise<unknown> }> {
  const port = await freePort();
  const server = await startMooring({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    MQTT_PORT: String(port),
    ROLES: 'api,gateway',
    // Replaces the value in `scripts/serverEnv.json`, and contains the same option.
    NODE_OPTIONS: `--max-semi-space-size=8 --import=${hook}`,
    BENCH_WITHOUT: what,
  });
  return { port, pid: server.child.pid ?? 0, stop: () => server.stop() };
}

async function measureRound(
  ours: Ours,
  given: { devices: readonly LoadDevice[]; seconds: number; pids: [gateway: number, postgres: number] },
): Promise<Round & { rows: number }> {
  const before = await soFar(ours, ...given.pids);
  const { sent, tookMs } = await reportAll(given.devices, given.seconds);
  const after = await soFar(ours, ...given.pids);
  const each = (what: 'gatewayMs' | 'postgresMs' | 'walBytes') => (after[what] - before[what]) / sent;
  const [gatewayMicros, postgresMicros] = [each('gatewayMs') * 1000, each('postgresMs') * 1000];
  return {
    perS: (sent / tookMs) * 1000,
    gatewayMicros,
    postgresMicros,
    walBytes: each('walBytes'),
    bothMicros: gatewayMicros + postgresMicros,
    rows: after.rows - before.rows,
  };
}

async function soFar({ db }: Ours, gatewayPid: number, postgresPid: number) {
  // Uses the sequence of the stored rows, because counting rows would itself load the database.
  const row = await db.one<{ rows: number; walBytes: number }>(sql`
    select last_value::float8 as rows, (pg_current_wal_lsn() - '0/0')::float8 as "walBytes" from event_numbers`);
  if (!row) throw new Error('The database has no answer.');
  return { ...row, gatewayMs: processorMs(gatewayPid), postgresMs: processorMs(postgresPid) };
}

/**
 * Each device reports its next state when the previous one is acknowledged; each state differs from the previous one.
 */
async function reportAll(
  devices: readonly LoadDevice[],
  seconds: number,
): Promise<{ sent: number; tookMs: number }> {
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1000;
  let sent = 0;
  await Promise.all(
    devices.map(async device => {
      while (performance.now() < untilMs) {
        sent += 1;
        const state = { temperature: (sent % 400) / 10, humidity: 40, power: { watts: sent % 7 } };
        await device.publish(`d/${device.id}/state`, Buffer.from(JSON.stringify(state)));
      }
    }),
  );
  return { sent, tookMs: performance.now() - startedMs };
}
