import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDevice } from '#contract/device.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { createProject } from '#contract/project.ts';
import { createSmartModule } from '#contract/smartModule.ts';
import { type Postgres, startPostgres } from '#server/infra/db/postgres.ts';
import { openDatabase, sql } from '#server/infra/db/sql.ts';
import { newcomer } from '#test/newcomer.ts';
import type { ServerProcess } from '#test/serverProcess.ts';
import { type Identity, LoadDevice } from '../gateway/loadDevice.ts';
import { ms, report } from '../report.ts';
import { compare, waitingModules } from './modules/compare.ts';
import { Processes, type Victim, victims, workers, writers } from './modules/processes.ts';
import { type Received, startReceiver } from './modules/webhookReceiver.ts';

const eventsDefault = 100_000;
const devicesDefault = 300;
/** The pause between the events of a device, because restarting processes need some of the machine as well. */
const pauseMs = 120;
/** Events per second that modules act on; each results in two calls. */
const marksPerS = 67;
const roundMs = { least: 2_500, most: 6_000 };
const reconnectMs = 100;
/** After this long without a delivery, no more are expected. */
const quietMs = 30_000;
const drainMaxMs = 300_000;

interface State {
  ports: number[];
  stopped: boolean;
  /** `device number` of each acknowledged event, and of those that modules act on. */
  acknowledged: number;
  marks: Set<string>;
}

/**
 * Devices send events to four gateways while a gateway, a worker or PostgreSQL is killed at random moments. A webhook
 * and a rule act on some of the events: counts events that did not reach them, arrived out of order, or were repeated
 * with a different id. `npm run torture -- modules 1000000 300`: events, and devices, each of which waits for its
 * acknowledgement.
 */
export async function run(words: string[]): Promise<boolean> {
  const [wanted = eventsDefault, devices = devicesDefault] = words.map(Number);
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-torture-'));
  // Each process has its own connections, and those of a killed one are closed a moment later.
  const settings = { max_connections: '300' };
  const postgres = await startPostgres({ dataDir, settings, log: { warn: () => undefined } });
  const receiver = await startReceiver();
  const all = await Processes.start(dataDir, postgres);
  const state: State = { ports: all.ports, stopped: false, acknowledged: 0, marks: new Set() };
  try {
    const { projectId, identities } = await aProject(all.api, receiver.url, devices);
    // Spread out, because a rule acts at most once a second per device.
    const markEveryMs = Math.max(1_500, (devices / marksPerS) * 1000);
    const work = identities.map(identity => sayForEver(identity, state, markEveryMs));
    const begunMs = performance.now();
    const kills = await killUntil(() => state.acknowledged >= wanted, all, state);
    state.stopped = true;
    await Promise.all(work);
    const seconds = (performance.now() - begunMs) / 1000;
    const drainedMs = performance.now();
    const stored = await marksStored(postgres, projectId);
    const held = await drained(postgres, projectId, stored, receiver.received);
    const drainMs = performance.now() - drainedMs;
    const found = compare(state.marks, stored, held, receiver.received);
    tell({ wanted, devices, seconds, drainMs, acknowledged: state.acknowledged, kills }, found);
    return (
      found.notStored === 0 && found.modules.every(one => one.lost + one.outOfOrder + one.otherIds === 0)
    );
  } finally {
    state.stopped = true;
    await all.stop();
    receiver.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function killUntil(
  isEnough: () => boolean,
  all: Processes,
  state: State,
): Promise<Record<Victim, number>> {
  const kills = { worker: 0, gateway: 0, PostgreSQL: 0 };
  for (let round = 0; !isEnough(); round++) {
    await wait(roundMs.least + Math.random() * (roundMs.most - roundMs.least));
    const victim = victims[round % victims.length] ?? 'worker';
    await all.kill(victim);
    kills[victim] += 1;
    console.log(
      `killed: ${victim}, ${state.acknowledged} events acknowledged, ${state.marks.size} waited for`,
    );
  }
  return kills;
}

async function aProject(api: ServerProcess, receiverUrl: string, devices: number) {
  const { client } = await newcomer(api.url, 'torture@example.com');
  const { id: projectId } = await client.call(createProject, { body: { name: 'Torture' } });
  await client.call(createDeviceClass, { params: { projectId }, body: { id: 'c' } });
  const identities: Identity[] = [];
  for (let i = 0; i < devices; i++) {
    const body = { projectId, tag: `${i}`, deviceClass: 'c' };
    const { id, apiKey = '' } = await client.call(createDevice, { body });
    identities.push({ id, key: apiKey });
  }
  const url = (module: (typeof waitingModules)[number]) => `${receiverUrl}/${module}`;
  await client.call(createSmartModule, {
    params: { projectId },
    body: {
      id: 'webhook',
      moduleType: 'webhook',
      subscribedEvents: ['mark'],
      configData: { url: url('webhook') },
    },
  });
  // This module evaluates every event.
  await client.call(createSmartModule, {
    params: { projectId },
    body: {
      id: 'rule',
      moduleType: 'rule',
      subscribedEvents: ['tick', 'mark'],
      configData: {
        condition: 'event.payload.isMark',
        acts: 'each',
        actions: [{ kind: 'webhook', url: url('rule') }],
      },
    },
  });
  return { projectId, identities };
}

/** Messages that were not acknowledged are not sent again. */
async function sayForEver(identity: Identity, state: State, markEveryMs: number): Promise<void> {
  let markedMs = performance.now() - Math.random() * markEveryMs;
  for (let number = 0; !state.stopped; ) {
    const port = state.ports[Math.floor(Math.random() * state.ports.length)] ?? 0;
    const device = await LoadDevice.connect(port, identity).catch(() => undefined);
    if (!device) {
      await wait(reconnectMs);
      continue;
    }
    while (!state.stopped) {
      number += 1;
      const isMark = performance.now() - markedMs > markEveryMs;
      const payload = Buffer.from(JSON.stringify({ number, isMark }));
      const isKept = await device
        .publish(`d/${identity.id}/events/${isMark ? 'mark' : 'tick'}`, payload)
        .then(
          () => true,
          () => false,
        );
      if (isMark) markedMs = performance.now();
      if (!isKept) break;
      state.acknowledged += 1;
      if (isMark) state.marks.add(`${identity.id} ${number}`);
      await wait(pauseMs);
    }
    device.end();
  }
}

/** The events that modules must receive, including those that were stored but could not be acknowledged. */
async function marksStored(postgres: Postgres, projectId: string): Promise<Set<string>> {
  const db = openDatabase(postgres.url, { max: 1 });
  const rows = await db.many<{ key: string }>(sql`
    select device_id || ' ' || (payload ->> 'number') as key from device_events
    where project_id = ${projectId} and name = 'mark'`);
  await db.end();
  return new Set(rows.map(({ key }) => key));
}

/**
 * Resolves when everything has arrived, or nothing more arrives. Returns the events that the rule held because they
 * came too soon.
 */
async function drained(
  postgres: Postgres,
  projectId: string,
  stored: ReadonlySet<string>,
  received: readonly Received[],
): Promise<Set<string>> {
  const db = openDatabase(postgres.url, { max: 1 });
  const endMs = performance.now() + drainMaxMs;
  for (let before = -1, sinceMs = performance.now(); performance.now() < endMs; await wait(500)) {
    if (received.length !== before) {
      before = received.length;
      sinceMs = performance.now();
    }
    const reached = new Set(received.map(one => `${one.module} ${one.key}`));
    if (reached.size >= stored.size * waitingModules.length || performance.now() - sinceMs > quietMs) break;
  }
  const rows = await db.many<{ key: string }>(sql`
    select r.device_id || ' ' || (e.payload ->> 'number') as key from module_runs r
    join device_events e on e.project_id = r.project_id and e.device_id = r.device_id and e.seq = r.seq
    where r.project_id = ${projectId} and r.module_id = 'rule' and r.state = 'held'`);
  await db.end();
  return new Set(rows.map(({ key }) => key));
}

function tell(
  run: {
    wanted: number;
    devices: number;
    seconds: number;
    drainMs: number;
    acknowledged: number;
    kills: Record<Victim, number>;
  },
  found: ReturnType<typeof compare>,
): void {
  const number = (value: number) => value.toLocaleString('en');
  report({
    title: 'Smart modules while processes are killed',
    command: `npm run torture -- modules ${run.wanted} ${run.devices}`,
    head: ['', ...found.modules.map(({ module }) => module), 'bar'],
    rows: [
      ['matching events stored', ...found.modules.map(() => number(found.stored)), ''],
      ['reached the module', ...found.modules.map(one => number(one.reached)), ''],
      ['held, because they came within a second', ...found.modules.map(one => number(one.held)), ''],
      ['lost', ...found.modules.map(one => number(one.lost)), '0'],
      ['out of order for their device', ...found.modules.map(one => number(one.outOfOrder)), '0'],
      ['repeated with the same id', ...found.modules.map(one => number(one.doubled - one.otherIds)), ''],
      ['repeated with a different id', ...found.modules.map(one => number(one.otherIds)), '0'],
    ],
    notes: [
      `${number(run.acknowledged)} events of ${run.devices} devices acknowledged in ${run.seconds.toFixed(0)} s by ${writers} gateways, ${workers} workers; ${Object.entries(
        run.kills,
      )
        .map(([victim, times]) => `${victim} killed ${times} times`)
        .join(', ')}.`,
      `The rule evaluates all events; ${found.notStored} acknowledged ones are missing. All had arrived ${ms(run.drainMs)} after the last kill.`,
    ],
  });
}
