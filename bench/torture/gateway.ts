import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '#contract/client.ts';
import { sendCommand } from '#contract/command.ts';
import { createDevice } from '#contract/device.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { createProject } from '#contract/project.ts';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { openDatabase, sql } from '#server/infra/db/sql.ts';
import { browserFetch } from '#test/browserFetch.ts';
import { newcomer } from '#test/newcomer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { type Identity, LoadDevice } from '../gateway/loadDevice.ts';

const devices = 60;
const eventsDefault = 100_000;
const roundMs = { least: 800, most: 2_500 };
const reconnectMs = 100;

/** Everything that was acknowledged. */
interface Promised {
  /** `device number` of each event. */
  events: Set<string>;
  /** Commands that the API accepted, and those whose result the gateway acknowledged. */
  commands: Set<string>;
  answered: Set<string>;
}

interface State {
  port: number;
  stopped: boolean;
  /** When the last acknowledged event was sent. */
  sentMs: number;
}

/**
 * Devices send events one after the other, and answer commands, while the server, or its PostgreSQL, is killed at
 * random moments. Counts messages that were acknowledged but are missing afterwards, and messages that exist twice
 * although they were sent once.
 */
export async function run(words: string[]): Promise<boolean> {
  const wanted = Number(words[0] ?? eventsDefault);
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-torture-'));
  const state: State = { port: await freePort(), stopped: false, sentMs: 0 };
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), MQTT_PORT: String(state.port) };
  let server = await startMooring(env);
  const { client, identities } = await someDevices(server.url);
  const promised: Promised = { events: new Set(), commands: new Set(), answered: new Set() };
  const work = [
    ...identities.map(identity => sayForEver(identity, state, promised)),
    commandForEver(client, identities, state, promised),
  ];
  const recoveriesMs: number[] = [];
  for (let round = 1; promised.events.size < wanted; round++) {
    await wait(roundMs.least + Math.random() * (roundMs.most - roundMs.least));
    const victim = round % 2 === 1 ? 'server' : 'PostgreSQL';
    if (victim === 'server') await kill(server);
    else await killPostgres(dataDir);
    const killedAt = performance.now();
    if (victim === 'server') server = await startMooring(env);
    while (state.sentMs < killedAt) await wait(5);
    recoveriesMs.push(performance.now() - killedAt);
    console.log(
      `round ${round}: killed the ${victim}, events again after ${recoveriesMs.at(-1)?.toFixed(0)} ms, ${promised.events.size} acknowledged`,
    );
  }
  state.stopped = true;
  await Promise.all(work);
  await server.stop();
  const found = await compare(dataDir, promised);
  console.log(
    `${promised.events.size} events acknowledged over ${recoveriesMs.length} kills: ${found.lost} lost, ${found.doubled} doubled; ` +
      `${promised.commands.size} commands taken: ${found.commandsLost} lost; ${promised.answered.size} answered: ${found.answersLost} lost; ` +
      `${found.connected} devices still shown as connected; events again after at most ${Math.max(...recoveriesMs).toFixed(0)} ms`,
  );
  rmSync(dataDir, { recursive: true, force: true });
  return Object.values(found).every(count => count === 0);
}

async function someDevices(url: string): Promise<{ client: Client; identities: Identity[] }> {
  const { client: first, cookies } = await newcomer(url, 'torture@example.com');
  const { id: projectId } = await first.call(createProject, { body: { name: 'Torture' } });
  await first.call(createDeviceClass, { params: { projectId }, body: { id: 'c' } });
  const identities: Identity[] = [];
  for (let i = 0; i < devices; i++) {
    const { id, apiKey = '' } = await first.call(createDevice, {
      body: { projectId, tag: `${i}`, deviceClass: 'c' },
    });
    identities.push({ id, key: apiKey });
  }
  const client = createClient({ baseUrl: `${url}/api`, fetch: browserFetch(cookies) });
  return { client, identities };
}

/**
 * Messages that were not acknowledged are not sent again: whether they were stored is not guaranteed, only that they
 * are not stored twice.
 */
async function sayForEver(identity: Identity, state: State, promised: Promised): Promise<void> {
  for (let number = 0; !state.stopped; ) {
    const device = await LoadDevice.connect(state.port, identity).catch(() => undefined);
    if (!device) {
      await wait(reconnectMs);
      continue;
    }
    answerCommands(device, promised);
    while (!state.stopped) {
      number += 1;
      const sentMs = performance.now();
      const isKept = await device.publish(`d/${identity.id}/events/tick`, Buffer.from(`${number}`)).then(
        () => true,
        () => false,
      );
      if (!isKept) break;
      promised.events.add(`${identity.id} ${number}`);
      state.sentMs = Math.max(state.sentMs, sentMs);
    }
    device.end();
  }
}

function answerCommands(device: LoadDevice, promised: Promised): void {
  device.onPublish = (_, payload) => {
    const { id } = JSON.parse(Buffer.from(payload).toString()) as { id: string };
    device.publish(`d/${device.id}/results/${id}`, Buffer.from('{"ok":true}')).then(
      () => promised.answered.add(id),
      () => undefined,
    );
  };
  device.subscribe(`d/${device.id}/commands/+`).catch(() => undefined);
}

async function commandForEver(
  client: Client,
  identities: Identity[],
  state: State,
  promised: Promised,
): Promise<void> {
  for (let i = 0; !state.stopped; i++) {
    const deviceId = identities[i % identities.length]?.id ?? '';
    await client.call(sendCommand, { params: { deviceId }, body: { name: 'blink' } }).then(
      ({ id }) => promised.commands.add(id),
      () => wait(reconnectMs),
    );
    await wait(20);
  }
}

async function kill({ child }: ServerProcess): Promise<void> {
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

async function killPostgres(dataDir: string): Promise<void> {
  const folder = realpathSync(join(dataDir, 'postgres'));
  process.kill(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
}

async function compare(dataDir: string, { events, commands, answered }: Promised) {
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const db = openDatabase(postgres.url, { max: 1 });
  const kept = await db.many<{ key: string; times: number }>(sql`
    select device_id || ' ' || payload::text as key, count(*)::int as times from device_events
    where name = 'tick' group by 1`);
  const stages = await db.many<{ id: string; stage: string }>(sql`select id, stage from device_commands`);
  const [gone] = await db.many<{ connected: number }>(sql`
    select count(*)::int as connected from device_presence where seen_at = 'infinity'
      and device_id not in (select device_id from device_connections c join gateways g on g.id = c.gateway_id)`);
  await db.end();
  await postgres.stop();
  const keys = new Set(kept.map(({ key }) => key));
  const stageOf = new Map(stages.map(({ id, stage }) => [id, stage]));
  return {
    lost: [...events].filter(key => !keys.has(key)).length,
    doubled: kept.filter(({ times }) => times > 1).length,
    commandsLost: [...commands].filter(id => !stageOf.has(id)).length,
    answersLost: [...answered].filter(id => stageOf.get(id) !== 'done').length,
    connected: gone?.connected ?? 0,
  };
}
