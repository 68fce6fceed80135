import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readClassStateHistory, readDeviceStateHistory } from '#contract/stateHistory.ts';
import { hourMs } from '#rules/time/durations.ts';
import { rollUpSome } from '#server/devices/stateHistory/rollUp.ts';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { sql } from '#server/infra/db/sql.ts';
import { type Ours, startOurs } from './gateway/targets.ts';
import { above1, pairedRatio } from './paired/pairedRatio.ts';
import { ms, percentile, perS, report } from './report.ts';
import { type Ingest, measureIngest, type Round, servers } from './stateHistory/ingest.ts';
import { seedHistory } from './stateHistory/seedHistory.ts';

const chartReads = 40;

/**
 * What state history costs per report, and how fast it is read. `npm run bench -- stateHistory 1000 500 5 6 ingest`:
 * devices, publishers, seconds, rounds, and only the cost.
 */
export async function run(words: string[]): Promise<void> {
  const [devices = 1_000, publishers = 500, seconds = 5, rounds = 6] = words.slice(0, 4).map(Number);
  const size = { devices, publishers, seconds, rounds };
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  // The same roles as the other servers; the roll-up is measured separately.
  const ours = await startOurs(dataDir, postgres.url, devices, { ROLES: 'api,gateway' });
  const at = { dataDir, databaseUrl: postgres.url, postgresPid: postgres.pid() ?? 0 };
  const ingest = await measureIngest(ours, at, size);
  const reads = words[4] === 'ingest' ? undefined : await measureReads(ours, devices);
  await ours.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
  tell(size, ingest, reads);
}

interface Reads {
  rolledUp: number;
  charts: Record<string, number[]>;
  bytes: number;
}

async function measureReads(ours: Ours, devices: number): Promise<Reads> {
  const rolledUp = await measureRollUp(ours);
  const row = await ours.db.one<{ projectId: string }>(
    sql`select project_id as "projectId" from devices where id = ${ours.identities[0]?.id}`,
  );
  const seeded = {
    projectId: row?.projectId ?? '',
    classId: 'load',
    ids: ours.identities.map(({ id }) => id),
  };
  await ours.db.run(sql`truncate state_minutes, state_hours, state_reports, state_properties`);
  await seedHistory(ours.db, seeded);
  const charts = await measureCharts(ours, seeded);
  const [sizes] = await ours.db.many<{ bytes: number }>(sql`
    select sum(pg_total_relation_size(inhrelid))::float8 / ${devices} as bytes
    from pg_inherits where inhparent in ('state_minutes'::regclass, 'state_hours'::regclass)`);
  return { rolledUp, charts, bytes: sizes?.bytes ?? 0 };
}

/** Measures the roll-up of the reports from the first part. */
async function measureRollUp({ db }: Ours): Promise<number> {
  const waiting = await db.one<{ count: number }>(sql`
    select count(*)::int as count from state_reports n, state_rollup r
    where not pg_visible_in_snapshot(n.tx, r.seen)`);
  const startedMs = performance.now();
  while (await rollUpSome({ db, clock: () => new Date() }));
  return ((waiting?.count ?? 0) / (performance.now() - startedMs)) * 1000;
}

async function measureCharts(
  { owner: { client } }: Ours,
  { projectId, classId, ids }: { projectId: string; classId: string; ids: string[] },
): Promise<Reads['charts']> {
  const spans = { '1 hour': 1, '24 hours': 24, '7 days': 168, '30 days': 720 };
  const charts: Reads['charts'] = {};
  for (const [name, hours] of Object.entries(spans)) {
    const now = Date.now();
    const range = { begin: new Date(now - hours * hourMs).toISOString(), end: new Date(now).toISOString() };
    const times = { device: [] as number[], ofClass: [] as number[] };
    for (let i = 0; i < chartReads; i++) {
      const deviceId = ids[(i * 37) % ids.length] ?? '';
      const query = { ...range, property: 'temperature', points: 300 };
      const startedMs = performance.now();
      const history = await client.call(readDeviceStateHistory, { params: { deviceId }, query });
      times.device.push(performance.now() - startedMs);
      if ((history.series[0]?.points.length ?? 0) < 50) throw new Error(`${name}: not all is there.`);
      const classMs = performance.now();
      await client.call(readClassStateHistory, { params: { classId }, query: { ...query, projectId } });
      times.ofClass.push(performance.now() - classMs);
    }
    charts[`a device, ${name}`] = times.device;
    charts[`its class, ${name}`] = times.ofClass;
  }
  return charts;
}

function tell(size: Record<string, number>, ingest: Ingest, reads: Reads | undefined): void {
  const of = (which: keyof Ingest, what: keyof Round) => ingest[which].map(round => round[what]);
  const median = (which: keyof Ingest, what: keyof Round) => percentile(of(which, what), 0.5);
  const medians = (what: keyof Round, unit: string) => [
    ...servers.map(which => `${Math.round(median(which, what)).toLocaleString('en')} ${unit}`),
    '',
  ];
  const cost = (more: keyof Ingest, less: keyof Ingest) => {
    const { mean, low, high } = pairedRatio(of(more, 'perS'), of(less, 'perS'));
    return above1({ mean: 2 - mean, low: 2 - high, high: 2 - low });
  };
  report({
    title: 'State history',
    command: `npm run bench -- stateHistory ${Object.values(size).join(' ')}${reads ? '' : ' ingest'}`,
    head: ['', 'with the history', 'without its numbers', 'without any', 'bar'],
    rows: [
      ['state messages stored', ...medians('perS', '/s')],
      ['cost of the numbers', cost('whole', 'changes'), '', '', '≤ 15 %'],
      ['cost of the numbers, and of the changes that smart modules read', cost('whole', 'none'), '', '', ''],
      ['CPU time of the gateway per message', ...medians('gatewayMicros', 'µs')],
      ['CPU time of PostgreSQL per message', ...medians('postgresMicros', 'µs')],
      ['CPU time of both per message', ...medians('bothMicros', 'µs')],
      ['write-ahead log per message', ...medians('walBytes', 'bytes')],
      ...(reads ? rowsOf(reads) : []),
    ],
    notes: [
      `Load of ${size.publishers} devices, servers and database share the machine. Each message changes the state and has three numbers. Three servers take turns; they differ only in what they store of a report, and run no jobs. Medians; each cost is the geometric mean of the ratios of rounds in the same turn, with its 95 % interval.`,
      `Charts: ${size.devices} devices, one value per minute for a month.`,
      ...servers.map(which => `Rounds, ${which}: ${of(which, 'perS').map(perS).join(', ')}.`),
    ],
  });
}

function rowsOf({ rolledUp, charts, bytes }: Reads): string[][] {
  return [
    ['reports added to the figures by the roll-up', perS(rolledUp), '', '', ''],
    ...Object.entries(charts).map(([name, times]) => [
      `${name}, p50 / p99`,
      `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.99))}`,
      '',
      '',
      name.includes('30') ? '≤ 300 ms' : '',
    ]),
    ['figures of a number of a device for a month', `${(bytes / 1000).toFixed(0)} kB`, '', '', ''],
  ];
}
