import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readClassStateHistory, readDeviceStateHistory } from '#contract/stateHistory.ts';
import { startPostgres } from '#server/db/postgres.ts';
import { sql } from '#server/db/sql.ts';
import { rollUpSome } from '#server/stateHistory/rollUp.ts';
import { type Ours, startOurs } from './gateway/targets.ts';
import { above1, pairedRatio } from './paired/pairedRatio.ts';
import { ms, percentile, perS, report } from './report.ts';
import { type Ingest, measureIngest, type Round } from './stateHistory/ingest.ts';
import { seedHistory } from './stateHistory/seedHistory.ts';

const hourMs = 3_600_000;
const chartReads = 40;

/**
 * What a history costs reports, and how fast it is read. `npm run bench -- stateHistory 1000 500 5 6 ingest`: devices,
 * publishers, seconds, rounds, and the cost alone.
 */
export async function run(words: string[]): Promise<void> {
  const [devices = 1_000, publishers = 500, seconds = 5, rounds = 6] = words.slice(0, 4).map(Number);
  const size = { devices, publishers, seconds, rounds };
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  // As the other server has it: what the roll-up takes is measured by itself.
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

/** Of what the reports of the first part left. */
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
  const of = (which: 'withHistory' | 'without', what: keyof Round) => ingest[which].map(round => round[what]);
  const median = (which: 'withHistory' | 'without', what: keyof Round) => percentile(of(which, what), 0.5);
  const compared = (what: keyof Round) =>
    [
      median('without', what),
      median('withHistory', what),
      pairedRatio(of('withHistory', what), of('without', what)),
    ] as const;
  const line = (name: string, what: keyof Round, unit: string) => {
    const [without, withHistory, ratio] = compared(what);
    return [name, `${without.toFixed(0)} → ${withHistory.toFixed(0)} ${unit}, + ${above1(ratio)}`, ''];
  };
  const { mean, low, high } = pairedRatio(of('withHistory', 'perS'), of('without', 'perS'));
  const cost = { mean: 2 - mean, low: 2 - high, high: 2 - low };
  report({
    title: 'State history',
    command: `npm run bench -- stateHistory ${Object.values(size).join(' ')}${reads ? '' : ' ingest'}`,
    head: ['', 'measured', 'bar'],
    rows: [
      [
        `state messages kept, ${size.publishers} publishers, without history → with it`,
        `${perS(median('without', 'perS'))} → ${perS(median('withHistory', 'perS'))}`,
        '',
      ],
      ['cost of the history', above1(cost), '≤ 15 %'],
      line('processor time of the gateway for each', 'gatewayMicros', 'µs'),
      line('processor time of PostgreSQL for each', 'postgresMicros', 'µs'),
      line('processor time of both for each', 'bothMicros', 'µs'),
      line('write-ahead log for each', 'walBytes', 'bytes'),
      ...(reads ? rowsOf(reads) : []),
    ],
    notes: [
      'Load, servers and database share the machine. Each message changes the state and has three numbers; two servers that differ in the history alone, and do no jobs, take turns. Medians, and the geometric mean of the ratio of each pair of rounds with its 95 % interval.',
      `Charts: ${size.devices} devices, one value a minute for a month.`,
      `Rounds with: ${of('withHistory', 'perS').map(perS).join(', ')}; without: ${of('without', 'perS').map(perS).join(', ')}.`,
    ],
  });
}

function rowsOf({ rolledUp, charts, bytes }: Reads): string[][] {
  return [
    ['reports added to the figures by the roll-up', perS(rolledUp), ''],
    ...Object.entries(charts).map(([name, times]) => [
      `${name}, p50 / p99`,
      `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.99))}`,
      name.includes('30') ? '≤ 300 ms' : '',
    ]),
    ['figures of a number of a device for a month', `${(bytes / 1000).toFixed(0)} kB`, ''],
  ];
}
