import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Evaluator } from '#server/modules/evaluator/evaluator.ts';
import { hostileExpression, hostileGiven, seeded } from '#test/hostileExpressions.ts';
import { freePort, startMooring } from '#test/serverProcess.ts';
import { ms, percentile, report } from '../report.ts';
import { type Receipts, startReceipts } from './expressions/receipts.ts';
import { aTenant, attack, type Tenant, tick } from './expressions/tenants.ts';

const minutesDefault = 20;
const tenantsMax = 20;
/** Of twenty tenants, as many write hostile rules. */
const hostileMax = 6;
const probeMs = 250;
const answerMaxMs = 2_000;
const jobsAtOnce = 200;
/** Before the attacks begin, to tell what this machine needs without them. */
const calmMs = 60_000;
const intervalMs = 10 * 60_000;

/**
 * Random rules of 20 tenants, some of them hostile, on a running platform: it must stay ready throughout, and the rules
 * of the others must be carried out within 2 s at the 99th percentile. Beside it, an evaluator of its own evaluates as
 * many random expressions as it can: none may need to be stopped by force. `npm run torture -- expressions 60 7`:
 * minutes, and the seed.
 */
export async function run(words: string[]): Promise<boolean> {
  const [minutes = minutesDefault, seed = Math.floor(Math.random() * 1e9)] = words.map(Number);
  console.log(`seed ${seed}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-expressions-'));
  const mqttPort = await freePort();
  const receipts = await startReceipts();
  const env = { DATA_DIR: dataDir, MQTT_PORT: String(mqttPort), ALLOW_PRIVATE_TARGETS: '127.0.0.1' };
  const server = await startMooring(env);
  const state = { isOver: false, unready: 0, probes: 0 };
  const tenants: Tenant[] = [];
  try {
    for (let n = 0; n < tenantsMax; n++)
      tenants.push(
        await aTenant({ server, mqttPort, receiverUrl: receipts.url, n, isHostile: n < hostileMax }),
      );
    const random = seeded(seed);
    const [hostile, others] = [tenants.filter(one => one.isHostile), tenants.filter(one => !one.isHostile)];
    const ticks = others.map(tenant => tick(tenant, state, receipts));
    await wait(calmMs);
    const calm = receipts.take();
    const fuzzed = fuzz(seeded(seed + 1), state);
    const work = [
      probe(server.url, state),
      ...ticks,
      ...hostile.flatMap(tenant => [tick(tenant, state, receipts), attack(tenant, state, random)]),
    ];
    const attacked = await measure(minutes, receipts);
    state.isOver = true;
    await Promise.all(work);
    // What is still on its way.
    await wait(2 * answerMaxMs);
    attacked.push(receipts.take());
    const unanswered = receipts.unanswered();
    return tell({ minutes, seed }, { state, calm, attacked, unanswered, tenants, ...(await fuzzed) });
  } finally {
    state.isOver = true;
    for (const { device } of tenants) device.end();
    await server.stop();
    receipts.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface State {
  isOver: boolean;
  unready: number;
  probes: number;
}

/** The times of each interval; they are printed as they come. */
async function measure(minutes: number, receipts: Receipts): Promise<number[][]> {
  const attacked: number[][] = [];
  for (let leftMs = minutes * 60_000; leftMs > 0; leftMs -= intervalMs) {
    await wait(Math.min(leftMs, intervalMs));
    const tookMs = receipts.take();
    attacked.push(tookMs);
    const [load = 0] = loadavg();
    const figures = [0.5, 0.99].map(part => ms(percentile(tookMs, part))).join(', ');
    console.log(`${tookMs.length} events, median and 99th percentile ${figures}; load ${load.toFixed(1)}`);
  }
  return attacked;
}

async function probe(url: string, state: State): Promise<void> {
  while (!state.isOver) {
    const signal = AbortSignal.timeout(answerMaxMs);
    const isReady = await fetch(`${url}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    state.probes += 1;
    if (!isReady) state.unready += 1;
    await wait(probeMs);
  }
}

async function fuzz(random: () => number, state: State): Promise<{ evaluated: number; stopped: string[] }> {
  const evaluator = new Evaluator();
  const given = hostileGiven();
  const stopped: string[] = [];
  let evaluated = 0;
  while (!state.isOver) {
    const jobs = Array.from({ length: jobsAtOnce }, () => ({ program: hostileExpression(random), given }));
    await evaluator.evaluate(jobs, async ({ program }, because) => {
      stopped.push(`${because} ${program}`);
    });
    evaluated += jobs.length;
  }
  await evaluator.end();
  return { evaluated, stopped };
}

interface Found {
  state: State;
  /** Milliseconds from event to webhook: before the attacks, and in each interval of them. */
  calm: readonly number[];
  attacked: readonly (readonly number[])[];
  unanswered: number;
  tenants: readonly Tenant[];
  evaluated: number;
  stopped: readonly string[];
}

function tell(
  { minutes, seed }: { minutes: number; seed: number },
  { state, calm, attacked, unanswered, tenants, evaluated, stopped }: Found,
): boolean {
  const tookMs = attacked.flat();
  const p99 = percentile(tookMs, 0.99);
  const rules = tenants.reduce((sum, { accepted }) => sum + accepted, 0);
  report({
    title: `Expressions: ${tenants.length} tenants, ${hostileMax} of them hostile, for ${minutes} min`,
    command: `npm run torture -- expressions ${minutes} ${seed}`,
    head: ['figure', 'value'],
    rows: [
      ['hostile rules saved', String(rules)],
      ['random expressions evaluated beside', String(evaluated)],
      ['of these stopped by force', String(stopped.length)],
      ['probes of /readyz', String(state.probes)],
      ['of these not ready', String(state.unready)],
      ['events of others that a rule acted on', String(tookMs.length)],
      ['median', ms(percentile(tookMs, 0.5))],
      ['99th percentile', ms(p99)],
      ['slowest', ms(tookMs.reduce((a, b) => Math.max(a, b), 0))],
      ['99th percentile in the minute before, without hostile tenants', ms(percentile(calm, 0.99))],
      ['never acted on', String(unanswered)],
    ],
    notes: stopped.slice(0, 10),
  });
  return state.unready === 0 && p99 <= answerMaxMs && unanswered === 0 && stopped.length === 0;
}
