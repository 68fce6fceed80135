import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type autocannon from 'autocannon';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { type Database, openDatabase } from '#server/infra/db/sql.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { type ServerProcess, startMooring, startProcess } from '#test/serverProcess.ts';
import { ms, perS } from '../report.ts';

/** Our server, and bare Fastify with the same SQL on the same database. */
export interface Servers {
  mooring: ServerProcess;
  reference: ServerProcess;
  db: Database;
  /** The environment for another process on that database. */
  env: Record<string, string>;
  end(): Promise<void>;
}

export async function startBoth(): Promise<Servers> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const env = { DATA_DIR: dataDir, DATABASE_URL: postgres.url };
  const mooring = await startMooring(env);
  const reference = await startProcess('bench/reference/main.ts', env);
  const db = openDatabase(postgres.url, { max: 1 });
  return {
    mooring,
    reference,
    db,
    env,
    async end() {
      await db.end();
      await Promise.all([mooring.stop(), reference.stop()]);
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export const besideHead = [
  'call',
  'connections',
  'reference',
  'ours',
  'ratio',
  'bar',
  'ours p50',
  'ours p99',
  'errors',
];

export const besideNotes = [
  'Load, both servers and PostgreSQL share the same cores; the two servers are never loaded at once.',
  'The reference looks up the session, checks membership and writes the audit row, and does nothing else.',
];

/** The headers that the console sends with each call. */
export const headersOf = ({ cookies }: Newcomer) => ({
  'content-type': 'application/json',
  'x-console-guard': '1',
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});

/** A row of the report. Both are measured twice, alternately: the first round is a warm-up, the second counts. */
export async function beside(
  { mooring, reference }: Servers,
  load: { name: string; bar: number },
  fire: (server: ServerProcess) => Promise<autocannon.Result>,
  clean: () => Promise<unknown>,
): Promise<string[]> {
  const round = async () => {
    const results = [await fire(reference), await fire(mooring)] as const;
    await clean();
    return results;
  };
  await round();
  return row(load, ...(await round()));
}

function row(
  { name, bar }: { name: string; bar: number },
  reference: autocannon.Result,
  ours: autocannon.Result,
): string[] {
  const ratio = ours.requests.average / reference.requests.average;
  return [
    name,
    String(ours.connections),
    perS(reference.requests.average),
    perS(ours.requests.average),
    ratio.toFixed(2),
    `≥ ${bar}`,
    ms(ours.latency.p50),
    ms(ours.latency.p99),
    String(ours.non2xx + ours.errors + reference.non2xx + reference.errors),
  ];
}
