import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '#server/db/sql.ts';
import { freePort, startMooring } from '#test/serverProcess.ts';
import type { LoadDevice } from '../gateway/loadDevice.ts';
import { connectAll } from '../gateway/loads.ts';
import type { Ours } from '../gateway/targets.ts';
import { processorMs } from '../paired/processorTime.ts';

const restMs = 1_000;
const hook = join(import.meta.dirname, 'withoutHistory.ts');

/** What a round showed; the rest of each report. */
export interface Round {
  perS: number;
  gatewayMicros: number;
  postgresMicros: number;
  bothMicros: number;
  walBytes: number;
}

export interface Ingest {
  withHistory: Round[];
  without: Round[];
}

interface Asked {
  publishers: number;
  seconds: number;
  rounds: number;
}

/** Two servers of one database take turns: one as it is, one that keeps no history. */
export async function measureIngest(
  ours: Ours,
  { dataDir, databaseUrl, postgresPid }: { dataDir: string; databaseUrl: string; postgresPid: number },
  { publishers, seconds, rounds }: Asked,
): Promise<Ingest> {
  const port = await freePort();
  const other = await startMooring({
    ...{ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, MQTT_PORT: String(port), ROLES: 'api,gateway' },
    // In place of what `scripts/serverEnv.json` says, with the same.
    NODE_OPTIONS: `--max-semi-space-size=8 --import=${hook}`,
  });
  const targets = [
    { ...ours, name: 'withHistory' as const },
    { ...ours, name: 'without' as const, port, pid: other.child.pid ?? 0 },
  ];
  const figures: Ingest = { withHistory: [], without: [] };
  // The first round warms both up.
  for (let round = 0; round <= rounds; round++) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      const { devices } = await connectAll(target, ours.identities.slice(0, publishers));
      const before = await soFar(ours, target.pid, postgresPid);
      const { sent, tookMs } = await reportAll(devices, seconds);
      const after = await soFar(ours, target.pid, postgresPid);
      const kept = after.rows - before.rows;
      if (kept > 0 !== (target.name === 'withHistory')) throw new Error(`${target.name} kept ${kept} rows.`);
      for (const device of devices) device.end();
      const each = (what: 'gatewayMs' | 'postgresMs' | 'walBytes') => (after[what] - before[what]) / sent;
      const [gatewayMicros, postgresMicros] = [each('gatewayMs') * 1000, each('postgresMs') * 1000];
      const processor = { gatewayMicros, postgresMicros, bothMicros: gatewayMicros + postgresMicros };
      if (round > 0)
        figures[target.name].push({
          perS: (sent / tookMs) * 1000,
          ...processor,
          walBytes: each('walBytes'),
        });
      await wait(restMs);
    }
  }
  await other.stop();
  return figures;
}

async function soFar({ db }: Ours, gatewayPid: number, postgresPid: number) {
  // What is kept has numbers; to count the rows would be work of the database as well.
  const row = await db.one<{ rows: number; walBytes: number }>(sql`
    select last_value::float8 as rows, (pg_current_wal_lsn() - '0/0')::float8 as "walBytes" from event_numbers`);
  if (!row) throw new Error('The database has no answer.');
  return { ...row, gatewayMs: processorMs(gatewayPid), postgresMs: processorMs(postgresPid) };
}

/** Each reports the next state when the last one is acknowledged; each differs from the one before. */
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
