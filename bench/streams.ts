import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '#server/infra/db/sql.ts';
import { newcomer } from '#test/newcomer.ts';
import { residentKb } from './gateway/loads.ts';
import { type Servers, startBoth } from './reference/beside.ts';
import { ms, percentile, report } from './report.ts';
import { Listener } from './streams/listener.ts';
import { type Homes, happen, seedHomes } from './streams/seedHomes.ts';

const members = 5;
const opening = 64;
const restMs = 5_000;
const everyMs = 10;
const slow = { readers: 1000, payload: 'x'.repeat(50_000), roundsRead: 20, roundsMax: 200, lookEvery: 10 };

/**
 * `npm run bench -- streams 10000 1000 20`: open event streams, events per second, seconds. Each event has five
 * listeners. After that, a thousand readers that do not read.
 */
export async function run(words: string[]): Promise<void> {
  const [streams = 10_000, perS = 1_000, seconds = 20] = words.map(Number);
  const both = await startBoth();
  try {
    const prompt = await measurePrompt(both, { streams, perS, seconds });
    const reading = await measureRounds(both, { isSlow: false, roundsMax: slow.roundsRead });
    const slowly = await measureRounds(both, { isSlow: true, roundsMax: slow.roundsMax });
    report({
      title: 'Event streams of apps',
      command: `npm run bench -- streams ${streams} ${perS} ${seconds}`,
      head: ['', 'measured', 'bar'],
      rows: [
        [`opened, ${opening} at once`, `${Math.round(prompt.openedPerS)} /s`, ''],
        ['memory of an open stream', `${prompt.idleKb.toFixed(1)} kB`, ''],
        [`${perS} events /s, stored → received by ${members}, p50`, ms(percentile(prompt.tookMs, 0.5)), ''],
        ['the same, p99', ms(percentile(prompt.tookMs, 0.99)), '≤ 50 ms'],
        ['received of the events sent', `${prompt.tookMs.length} of ${prompt.due}`, 'all'],
        [`peak memory, ${slow.readers} readers of events of 50 kB`, mb(reading.mostKb), ''],
        ['the same, if they do not read', mb(slowly.mostKb), ''],
        [
          'increase for each reader that does not read',
          kib((slowly.mostKb - reading.mostKb) / slow.readers),
          '≤ 256 KiB',
        ],
      ],
      notes: [
        `${streams} streams of ${streams / members} homes over server-sent events in one process; load, server and database share the machine. Rate limits are off.`,
        'Events are stored as by the gateway; the time is from before the transaction to the arrival at a listener.',
        `Each of the ${slow.readers} readers has its own home, so that none share a buffer. After ${slowly.rounds} rounds, ${slow.readers - slowly.left} of the readers that do not read were disconnected.`,
      ],
    });
  } finally {
    await both.end();
  }
}

async function openAll(url: string, { projectId, appId, tokens }: Homes, hear: (message: string) => void) {
  const listeners: Listener[] = [];
  const rest = [...tokens];
  await Promise.all(
    Array.from({ length: opening }, async () => {
      for (let token = rest.pop(); token; token = rest.pop())
        listeners.push(await Listener.open({ url, app: `${appId}@${projectId}`, token }, hear));
    }),
  );
  return listeners;
}

async function measurePrompt(
  { mooring, db }: Servers,
  { streams, perS, seconds }: { streams: number; perS: number; seconds: number },
) {
  const { client } = await newcomer(mooring.url, 'streams@example.com');
  const homes = await seedHomes(db, client, { homes: streams / members, members });
  await wait(restMs);
  const beforeKb = residentKb(mooring.child.pid ?? 0);
  const startedAt = performance.now();
  const tookMs: number[] = [];
  const listeners = await openAll(mooring.url, homes, message => {
    const at = /"at":([\d.]+)/.exec(message)?.[1];
    if (at !== undefined) tookMs.push(performance.now() - Number(at));
  });
  const openedPerS = streams / ((performance.now() - startedAt) / 1000);
  await wait(restMs);
  const idleKb = (residentKb(mooring.child.pid ?? 0) - beforeKb) / streams;
  const { deviceIds, projectId } = homes;
  const each = Math.round((perS * everyMs) / 1000);
  const beganAt = performance.now();
  let sent = 0;
  // By the clock: events that could not be sent in time are sent later, all at once.
  const due = perS * seconds;
  const sending: Promise<void>[] = [];
  while (sent < due) {
    while (sent < due && performance.now() - beganAt > (sent / perS) * 1000) {
      const from = sent;
      const some = Array.from({ length: each }, (_, i) => deviceIds[(from + i) % deviceIds.length] ?? '');
      const at = performance.now();
      sending.push(happen(db, projectId, some, () => ({ at })));
      sent += each;
    }
    await wait(1);
  }
  await Promise.all(sending);
  for (let i = 0; i < 100 && tookMs.length < sent * members; i++) await wait(100);
  for (const listener of listeners) listener.close();
  return { openedPerS, idleKb, tookMs, due: sent * members };
}

/** The peak memory of the server while it sends much to many readers, which read it or not. */
async function measureRounds(
  { mooring, db }: Servers,
  { isSlow, roundsMax }: { isSlow: boolean; roundsMax: number },
): Promise<{ mostKb: number; rounds: number; left: number }> {
  const { client } = await newcomer(mooring.url, isSlow ? 'slow@example.com' : 'reading@example.com');
  const homes = await seedHomes(db, client, { homes: slow.readers, members: 1 });
  const listeners = await openAll(mooring.url, homes, () => undefined);
  if (isSlow) for (const listener of listeners) listener.pause();
  const { deviceIds, projectId, appId, tokens } = homes;
  let heard = 0;
  const app = `${appId}@${projectId}`;
  // A listener of the last home: once it has received a round, the round was sent to all.
  const prompt = await Listener.open({ url: mooring.url, app, token: tokens.at(-1) ?? '' }, message => {
    if (message.includes('"text"')) heard += 1;
  });
  await wait(restMs);
  const pid = mooring.child.pid ?? 0;
  let mostKb = residentKb(pid);
  const watching = setInterval(() => {
    mostKb = Math.max(mostKb, residentKb(pid));
  }, 50);
  let rounds = 0;
  const open = async () => (await db.one<{ open: number }>(openStreams(projectId)))?.open ?? 0;
  while (rounds < roundsMax && (rounds % slow.lookEvery > 0 || (await open()) > 1)) {
    for (let from = 0; from < slow.readers; from += 100)
      await happen(db, projectId, deviceIds.slice(from, from + 100), () => ({ text: slow.payload }));
    rounds += 1;
    while (heard < rounds) await wait(5);
  }
  clearInterval(watching);
  const left = (await open()) - 1;
  for (const listener of [...listeners, prompt]) listener.close();
  return { mostKb, rounds, left };
}

const mb = (kb: number) => `${Math.round(kb / 1000)} MB`;
const kib = (kb: number) => `${kb.toFixed(0)} KiB`;

/** The number of open streams, which the server writes every 15 seconds. */
const openStreams = (projectId: string) =>
  sql`select coalesce(sum(count), 0)::int as open from open_streams where project_id = ${projectId}`;
