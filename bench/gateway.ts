import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { sql } from '#server/infra/db/sql.ts';
import { commandLoad } from './gateway/commandLoad.ts';
import type { LoadDevice } from './gateway/loadDevice.ts';
import { atRate, connectAll, publishAll, residentKb } from './gateway/loads.ts';
import { type Ours, type Running, startAedes, startMosquitto, startOurs } from './gateway/targets.ts';
import { ms, percentile, perS, report } from './report.ts';

const restMs = 5_000;
const endToEndPerS = 2_000;
const commandsPerS = 200;

interface Figures {
  accept: number;
  idleKb: number;
  kept: number;
  p50: number;
  p99: number;
}

/**
 * Compares our gateway with a bare aedes and Debian's Mosquitto, one after the other, with the same load from another
 * process. `npm run bench -- gateway 10000 1000 10`: connections, publishers, seconds.
 */
export async function run(words: string[]): Promise<void> {
  const [connections = 10_000, publishers = 1_000, seconds = 10] = words.map(Number);
  const size = { connections, publishers, seconds };
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const ours = await startOurs(dataDir, postgres.url, connections);
  const figures = [await measure(ours, ours.identities, size)];
  const commands = await measureCommands(ours, seconds);
  await ours.stop();
  const names = [ours.name];
  for (const start of [() => startAedes(), () => startMosquitto(dataDir)]) {
    const peer = await start();
    if (!peer) continue;
    names.push(peer.name);
    figures.push(await measure(peer, ours.identities, size));
    await peer.stop();
  }
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
  tell(size, names, figures, commands);
}

type Size = { connections: number; publishers: number; seconds: number };

async function measure(target: Running, identities: Ours['identities'], size: Size): Promise<Figures> {
  const beforeKb = residentKb(target.pid);
  const { devices, perS: accept } = await connectAll(target, identities);
  await wait(restMs);
  const idleKb = (residentKb(target.pid) - beforeKb) / devices.length;
  const senders = devices.slice(0, size.publishers);
  for (const device of devices.slice(size.publishers)) device.end();
  await publishAll(target, senders, 2);
  const { perS: kept, sent } = await publishAll(target, senders, size.seconds);
  await checkKept(target, sent);
  const payload = Buffer.from('{"temperature":21.5,"humidity":40}');
  const { p50, p99 } = await atRate(endToEndPerS, size.seconds, async i => {
    const device = senders[i % senders.length] as LoadDevice;
    await device.publish(target.topicOf(device.id), payload);
  });
  for (const device of senders) device.end();
  await wait(restMs / 2);
  return { accept, idleKb, kept, p50, p99 };
}

/** Checks that everything that was acknowledged is stored. */
async function checkKept(target: Running, sent: number): Promise<void> {
  if (!('db' in target)) return;
  const row = await (target as Ours).db.one<{ count: number }>(
    sql`select count(*)::int as count from device_events`,
  );
  if ((row?.count ?? 0) < sent)
    throw new Error(`${sent} were acknowledged, but only ${row?.count} are kept.`);
}

async function measureCommands(ours: Ours, seconds: number): Promise<{ p50: number; p99: number }> {
  const { devices } = await connectAll(ours, ours.identities.slice(0, 100));
  const times = await commandLoad(ours, devices, { perS: commandsPerS, seconds, warmUpS: 3 });
  for (const device of devices) device.end();
  const known = times.map(one => one.known);
  return { p50: percentile(known, 0.5), p99: percentile(known, 0.99) };
}

function tell(
  { connections, publishers, seconds }: Size,
  names: string[],
  figures: Figures[],
  commands: { p50: number; p99: number },
): void {
  const row = (name: string, bar: string, of: (figures: Figures) => string) => [
    name,
    ...figures.map(of),
    bar,
  ];
  const none = figures.slice(1).map(() => '');
  report({
    title: 'Gateway',
    command: `npm run bench -- gateway ${connections} ${publishers} ${seconds}`,
    head: ['', ...names, 'bar'],
    rows: [
      row(`accept ${connections}`, '≥ 3,000 /s, with key check', ({ accept }) => perS(accept)),
      row('memory of an idle connection', '≤ 20 kB', ({ idleKb }) => `${idleKb.toFixed(1)} kB`),
      row(`QoS 1, ${publishers} publishers`, '≥ 15,000 /s, stored', ({ kept }) => perS(kept)),
      row(`${endToEndPerS} /s → acknowledged, p50`, '≤ 3 ms, stored', ({ p50 }) => ms(p50)),
      row(`${endToEndPerS} /s → acknowledged, p99`, '≤ 15 ms, stored', ({ p99 }) => ms(p99)),
      [`${commandsPerS} commands /s, API → device → result, p50`, ms(commands.p50), ...none, '≤ 8 ms'],
      [`${commandsPerS} commands /s, API → device → result, p99`, ms(commands.p99), ...none, '≤ 40 ms'],
    ],
    notes: [
      'Load, server and database share the machine. Rate limits are off.',
      'Ours checks a key, records the connection and stores every message before acknowledging it; the others do none of this.',
      'A second call waits for the result of a command; its time is included.',
    ],
  });
}
