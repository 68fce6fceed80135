import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '#server/db/sql.ts';
import { freePort, startMooring } from '#test/serverProcess.ts';
import type { LoadDevice } from '../gateway/loadDevice.ts';
import { connectAll } from '../gateway/loads.ts';
import type { Ours } from '../gateway/targets.ts';

const restMs = 2_000;
const hook = join(import.meta.dirname, 'withoutHistory.ts');

export interface Ingest {
  /** State messages a second, of each round. */
  withHistory: number[];
  without: number[];
}

/** Two servers of one database take turns: one as it is, one that keeps no history. */
export async function measureIngest(
  ours: Ours,
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string },
  { publishers, seconds, rounds }: { publishers: number; seconds: number; rounds: number },
): Promise<Ingest> {
  const port = await freePort();
  const other = await startMooring({
    ...{ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, MQTT_PORT: String(port), ROLES: 'api,gateway' },
    // In place of what `scripts/serverEnv.json` says, with the same.
    NODE_OPTIONS: `--max-semi-space-size=8 --import=${hook}`,
  });
  const targets = [
    { ...ours, name: 'withHistory' as const },
    { ...ours, name: 'without' as const, port },
  ];
  const figures: Ingest = { withHistory: [], without: [] };
  // The first round warms both up.
  for (let round = 0; round <= rounds; round++) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      const { devices } = await connectAll(target, ours.identities.slice(0, publishers));
      const before = await historyRows(ours);
      const perS = await reportAll(devices, seconds);
      const kept = (await historyRows(ours)) - before;
      if (kept > 0 !== (target.name === 'withHistory')) throw new Error(`${target.name} kept ${kept} rows.`);
      for (const device of devices) device.end();
      if (round > 0) figures[target.name].push(perS);
      await wait(restMs);
    }
  }
  await other.stop();
  return figures;
}

async function historyRows({ db }: Ours): Promise<number> {
  const row = await db.one<{ count: number }>(sql`select count(*)::int as count from state_reports`);
  return row?.count ?? 0;
}

/** Each reports the next state when the last one is acknowledged; each differs from the one before. */
async function reportAll(devices: readonly LoadDevice[], seconds: number): Promise<number> {
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
  return (sent / (performance.now() - startedMs)) * 1000;
}
