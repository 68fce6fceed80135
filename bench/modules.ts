import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BodyOf } from '#contract/endpoint.ts';
import { createSmartModule, editSmartModule } from '#contract/smartModule.ts';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { sql } from '#server/infra/db/sql.ts';
import { startMooring } from '#test/serverProcess.ts';
import type { LoadDevice } from './gateway/loadDevice.ts';
import { atRate, connectAll } from './gateway/loads.ts';
import { type Ours, startOurs } from './gateway/targets.ts';
import { pairedRatio, type Ratio, times } from './paired/pairedRatio.ts';
import { processorMs } from './paired/processorTime.ts';
import { ms, percentile, perS, report } from './report.ts';

const goodModules = 50;
const devicesCount = 1_000;
/** Each good rule acts on one in this many events, and each bad module on another one. */
const oneOf = 2_000;
const badOneOf = 50;
const drainMaxMs = 30_000;
const handedOnMs = 1_500;
const restMs = 500;

type ConfigData = BodyOf<typeof createSmartModule>['configData'];

/** How long the events of a round took to be acknowledged, and the CPU time per event. */
interface Round {
  p50: number;
  p99: number;
  gatewayMicros: number;
  postgresMicros: number;
  workerMicros: number;
}

interface Rounds {
  without: Round[];
  withThem: Round[];
}

interface Size {
  rate: number;
  seconds: number;
  rounds: number;
  isApart: boolean;
}

/**
 * How bad modules affect devices and good modules: 50 rules that act now and then, beside a rule whose action never
 * ends, a webhook that is refused and one that is never answered. Alternates with rounds in which all modules are
 * suspended. `npm run bench -- modules 5000 5 6 apart`: events per second, seconds per round, pairs of rounds, and the
 * worker in a separate process, as an operator would run it at such a rate.
 */
export async function run(words: string[]): Promise<void> {
  const [rate = 5_000, seconds = 5, rounds = 6] = words.slice(0, 3).map(Number);
  const size = { rate, seconds, rounds, isApart: words[3] === 'apart' };
  const { isApart } = size;
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const targets = await badTargets();
  const settings = { ALLOW_PRIVATE_TARGETS: '127.0.0.1' };
  const ours = await startOurs(dataDir, postgres.url, devicesCount, {
    ...settings,
    ...(isApart && { ROLES: 'api,gateway' }),
  });
  const atDatabase = { DATA_DIR: dataDir, DATABASE_URL: postgres.url, ROLES: 'worker' };
  const worker = isApart ? await startMooring({ ...settings, ...atDatabase }) : undefined;
  try {
    const { devices } = await connectAll(ours, ours.identities);
    const ids = await addModules(ours, targets.url);
    const pids = { gateway: ours.pid, postgres: postgres.pid() ?? 0, worker: worker?.child.pid };
    const measured: Rounds = { without: [], withThem: [] };
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++)
      for (const which of round % 2 === 0 ? orders : orders.toReversed()) {
        await setSuspended(ours, ids, which === 'without');
        const shown = await measure(pids, size, () => load(ours, devices, size));
        if (which === 'withThem') await allDone(ours);
        if (round > 0) measured[which].push(shown);
        else await forgetRuns(ours);
      }
    const lags = await lagsOf(ours);
    for (const device of devices) device.end();
    tell(size, measured, lags);
  } finally {
    await worker?.stop();
    await ours.stop();
    targets.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const orders = ['without', 'withThem'] as const;

/** `/refuses` answers 500 at once; all other paths never answer. */
async function badTargets() {
  const server = createServer((request, response) => {
    if (request.url === '/refuses') response.writeHead(500).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns their ids. */
async function addModules({ owner, projectId }: Ours, url: string): Promise<string[]> {
  const ids: string[] = [];
  const add = async (id: string, moduleType: 'rule' | 'webhook', event: string, configData: ConfigData) => {
    ids.push(id);
    await owner.client.call(createSmartModule, {
      params: { projectId },
      body: { id, moduleType, subscribedEvents: [event], configData },
    });
  };
  const rule = (condition: string, action: ConfigData): ConfigData => ({
    condition,
    acts: 'each',
    actions: [action],
  });
  for (let n = 0; n < goodModules; n++)
    await add(
      `good-${n}`,
      'rule',
      'measured',
      rule(`event.payload.pick == ${n}`, { kind: 'alert', severity: 'info', text: 'Picked' }),
    );
  await add('hangs', 'rule', 'bad', rule('true', { kind: 'webhook', url: `${url}/hangs` }));
  const webhook = (path: string): ConfigData => ({ url: `${url}${path}` });
  await add('refused', 'webhook', 'bad', webhook('/refuses'));
  await add('unanswered', 'webhook', 'bad', webhook('/hangs'));
  return ids;
}

async function setSuspended(
  { owner, projectId }: Ours,
  ids: readonly string[],
  suspended: boolean,
): Promise<void> {
  for (const moduleId of ids)
    await owner.client.call(editSmartModule, { params: { projectId, moduleId }, body: { suspended } });
  await wait(restMs);
}

async function measure(
  pids: { gateway: number; postgres: number; worker: number | undefined },
  { rate, seconds }: Size,
  work: () => Promise<{ p50: number; p99: number }>,
): Promise<Round> {
  const soFar = () => ({
    gateway: processorMs(pids.gateway),
    postgres: processorMs(pids.postgres),
    worker: pids.worker === undefined ? 0 : processorMs(pids.worker),
  });
  const before = soFar();
  const acknowledged = await work();
  const after = soFar();
  const each = (what: keyof typeof before) => ((after[what] - before[what]) * 1000) / (rate * seconds);
  return {
    ...acknowledged,
    gatewayMicros: each('gateway'),
    postgresMicros: each('postgres'),
    workerMicros: each('worker'),
  };
}

function load(
  ours: Ours,
  devices: readonly LoadDevice[],
  { rate, seconds }: Pick<Size, 'rate' | 'seconds'>,
): Promise<{ p50: number; p99: number }> {
  return atRate(rate, seconds, async i => {
    const device = devices[i % devices.length] as LoadDevice;
    const topic = ours.topicOf(device.id);
    const payload = Buffer.from(JSON.stringify({ pick: i % oneOf, humidity: 40 }));
    await device.publish(i % badOneOf === 0 ? topic.replace(/measured$/, 'bad') : topic, payload);
  });
}

interface Lags {
  runs: number;
  median: number;
  p99: number;
  attemptsOfBad: number;
}

async function allDone({ db }: Ours): Promise<void> {
  const endMs = performance.now() + drainMaxMs;
  const waiting = () =>
    db.one(
      sql`select 1 as found from module_runs where module_id like 'good-%' and state = 'waiting' limit 1`,
    );
  // The last acknowledged events may not have been dispatched yet.
  await wait(handedOnMs);
  while ((await waiting()) && performance.now() < endMs) await wait(200);
}

/** Deletes the runs of the warm-up round. */
async function forgetRuns({ db }: Ours): Promise<void> {
  await db.run(sql`delete from module_runs where state = 'done'`);
}

async function lagsOf({ db }: Ours): Promise<Lags> {
  const row = await db.one<Lags>(sql`
    select count(*)::int as runs,
      percentile_cont(0.5) within group (order by extract(epoch from last_at - event_ts) * 1000) as median,
      percentile_cont(0.99) within group (order by extract(epoch from last_at - event_ts) * 1000) as p99,
      (select coalesce(sum(attempts), 0)::int from module_runs where module_id not like 'good-%') as "attemptsOfBad"
    from module_runs where module_id like 'good-%' and state = 'done'`);
  return row ?? { runs: 0, median: Number.NaN, p99: Number.NaN, attemptsOfBad: 0 };
}

function tell({ rate, seconds, rounds, isApart }: Size, measured: Rounds, lags: Lags): void {
  const of = (which: keyof Rounds, what: keyof Round) => measured[which].map(round => round[what]);
  const median = (which: keyof Rounds, what: keyof Round) => percentile(of(which, what), 0.5);
  const ratio = (what: keyof Round): Ratio => pairedRatio(of('withThem', what), of('without', what));
  const time = (what: 'p50' | 'p99') =>
    `${ms(median('without', what))} → ${ms(median('withThem', what))}, ${times(ratio(what))}`;
  const micros = (what: keyof Round) =>
    `${median('without', what).toFixed(0)} → ${median('withThem', what).toFixed(0)} µs`;
  report({
    title: 'Smart modules: good ones beside bad ones',
    command: `npm run bench -- modules ${rate} ${seconds} ${rounds}${isApart ? ' apart' : ''}`,
    head: ['', 'measured', 'bar'],
    rows: [
      [`${perS(rate)} acknowledged without modules → with them, p50`, time('p50'), '1 ×'],
      ['the same, p99', time('p99'), '1 ×'],
      ['CPU time of the gateway per event', micros('gatewayMicros'), ''],
      ['CPU time of PostgreSQL per event', micros('postgresMicros'), ''],
      ...(isApart ? [['CPU time of the worker per event', micros('workerMicros'), '']] : []),
      [`from the event to the end of the run of a good rule, p50`, ms(lags.median), ''],
      ['the same, p99', ms(lags.p99), '≤ 2,000 ms'],
    ],
    notes: [
      `${goodModules} rules evaluate each event, and raise an alert for one in ${oneOf}: ${lags.runs} runs. A rule whose webhook never ends, a webhook that is refused and one that is never answered get one event in ${badOneOf}: ${lags.attemptsOfBad} attempts.`,
      `${isApart ? 'The worker is a separate process. ' : ''}Load, server and database share the machine. ${rounds} rounds with modules, alternating with as many in which all are suspended: medians, and the geometric mean of the ratio of each pair with its 95 % interval.`,
    ],
  });
}
