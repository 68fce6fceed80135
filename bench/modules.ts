import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BodyOf } from '#contract/endpoint.ts';
import { createSmartModule } from '#contract/smartModule.ts';
import { startPostgres } from '#server/db/postgres.ts';
import { sql } from '#server/db/sql.ts';
import { startMooring } from '#test/serverProcess.ts';
import type { LoadDevice } from './gateway/loadDevice.ts';
import { atRate, connectAll } from './gateway/loads.ts';
import { type Ours, startOurs } from './gateway/targets.ts';
import { ms, perS, report } from './report.ts';

const goodModules = 50;
const devicesCount = 1_000;
/** Each good rule acts for one event of so many, and each bad module for another. */
const oneOf = 2_000;
const badOneOf = 50;
const drainMaxMs = 30_000;

type ConfigData = BodyOf<typeof createSmartModule>['configData'];

interface Acknowledged {
  p50: number;
  p99: number;
}

/**
 * What devices and good modules notice of bad ones: 50 rules that act now and then, beside a rule whose action never ends,
 * a webhook that is refused and one that is never answered. `npm run bench -- modules 5000 20 apart`: events a second,
 * seconds, and, as an operator would at such a rate, the worker in a process of its own.
 */
export async function run(words: string[]): Promise<void> {
  const [rate = 5_000, seconds = 20] = words.slice(0, 2).map(Number);
  const isApart = words[2] === 'apart';
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
    await load(ours, devices, { rate, seconds: 3 });
    const without = await load(ours, devices, { rate, seconds });
    await addModules(ours, targets.url);
    const withThem = await load(ours, devices, { rate, seconds });
    const lags = await lagsOf(ours);
    for (const device of devices) device.end();
    tell({ rate, seconds, isApart }, without, withThem, lags);
  } finally {
    await worker?.stop();
    await ours.stop();
    targets.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** `/refuses` answers 500 at once; all else is never answered. */
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

async function addModules({ owner, projectId }: Ours, url: string): Promise<void> {
  const add = (id: string, moduleType: 'rule' | 'webhook', event: string, configData: ConfigData) =>
    owner.client.call(createSmartModule, {
      params: { projectId },
      body: { id, moduleType, subscribedEvents: [event], configData },
    });
  const rule = (condition: string, action: ConfigData): ConfigData => ({
    ...{ condition, acts: 'each', actions: [action] },
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
}

function load(
  ours: Ours,
  devices: readonly LoadDevice[],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Acknowledged> {
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

async function lagsOf({ db }: Ours): Promise<Lags> {
  const endMs = performance.now() + drainMaxMs;
  const waiting = () =>
    db.one(
      sql`select 1 as found from module_runs where module_id like 'good-%' and state = 'waiting' limit 1`,
    );
  // What was acknowledged last may not have been handed on yet.
  await wait(3_000);
  while ((await waiting()) && performance.now() < endMs) await wait(200);
  const row = await db.one<Lags>(sql`
    select count(*)::int as runs,
      percentile_cont(0.5) within group (order by extract(epoch from last_at - event_ts) * 1000) as median,
      percentile_cont(0.99) within group (order by extract(epoch from last_at - event_ts) * 1000) as p99,
      (select coalesce(sum(attempts), 0)::int from module_runs where module_id not like 'good-%') as "attemptsOfBad"
    from module_runs where module_id like 'good-%' and state = 'done'`);
  return row ?? { runs: 0, median: Number.NaN, p99: Number.NaN, attemptsOfBad: 0 };
}

function tell(
  { rate, seconds, isApart }: { rate: number; seconds: number; isApart: boolean },
  without: Acknowledged,
  withThem: Acknowledged,
  lags: Lags,
): void {
  report({
    title: 'Smart modules: good ones beside bad ones',
    command: `npm run bench -- modules ${rate} ${seconds}${isApart ? ' apart' : ''}`,
    head: ['', 'measured', 'bar'],
    rows: [
      [
        `${perS(rate)} acknowledged without modules, p50 / p99`,
        `${ms(without.p50)} / ${ms(without.p99)}`,
        '',
      ],
      ['the same with modules', `${ms(withThem.p50)} / ${ms(withThem.p99)}`, 'no more'],
      [`from the event to the end of the run of a good rule, p50`, ms(lags.median), ''],
      ['the same, p99', ms(lags.p99), '≤ 2,000 ms'],
    ],
    notes: [
      `${goodModules} rules evaluate each event, and raise an alert for one of ${oneOf}: ${lags.runs} runs. A rule whose webhook never ends, a webhook that is refused and one that is never answered get one event of ${badOneOf}: ${lags.attemptsOfBad} attempts.`,
      `${isApart ? 'The worker is a process of its own. ' : ''}Load, server and database share the machine.`,
    ],
  });
}
