import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { aProxyWorld, memoryMb, type ProxyWorld, socketsOf } from '../proxy/proxyWorld.ts';

const routes = ['well', 'storm', 'hangs', 'dribbles', 'dies', 'endless', 'events', 'upload'] as const;
const mebibyte = 1024 ** 2;
/** How much a heap may grow before it is collected; a leak per call exceeds this. */
const growthMaxMb = 100;

interface Drill {
  server: ServerProcess;
  world: ProxyWorld;
  peakMb: number;
}

/**
 * `[GiB]`: ten thousand calls through a proxy route that are aborted at random moments, then back ends that hang, send
 * slowly, die, and answer without end, then event streams and uploads. Counts what these leave behind, and measures
 * what they cost the calls of another route.
 */
export async function run([gibibytes = '10']: string[]): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-proxy-'));
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), ALLOW_PRIVATE_TARGETS: '127.0.0.1' };
  const server = await startMooring(env);
  // Not the back end of the tests, which records what it receives.
  const backEnd = http.createServer(answerOf).listen(0, '127.0.0.1');
  await once(backEnd, 'listening');
  const { port } = backEnd.address() as AddressInfo;
  const drill: Drill = {
    server,
    world: await aProxyWorld(server, `http://127.0.0.1:${port}`, routes),
    peakMb: 0,
  };
  const watching = setInterval(() => {
    drill.peakMb = Math.max(drill.peakMb, memoryMb(server));
  }, 50);
  try {
    return [
      await storm(drill),
      await neighbours(drill, Number(gibibytes) * 1024 ** 3),
      await streams(drill),
      await uploads(drill),
    ].every(Boolean);
  } finally {
    clearInterval(watching);
    await server.stop();
    backEnd.close().closeAllConnections();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The back end; the path determines what it does. */
function answerOf(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const name = request.url?.split('/')[1];
  if (name === 'storm') void inPieces(response, 8, 5);
  else if (name === 'dribbles') void inPieces(response, Infinity, 1000, Buffer.from('.'));
  else if (name === 'dies') void inPieces(response, 2, 5).then(() => response.destroy());
  else if (name === 'endless') pour(response);
  else if (name === 'events') {
    response.setHeader('content-type', 'text/event-stream');
    void inPieces(response, Infinity, 20, Buffer.from(`data: ${'x'.repeat(1000)}\n\n`));
  } else if (name !== 'hangs') request.on('end', () => response.end('{"ok":true}'));
}

async function inPieces(response: ServerResponse, count: number, everyMs: number, piece = aPiece) {
  for (let i = 0; i < count && !response.destroyed; i++) {
    response.write(piece);
    await wait(everyMs);
  }
  if (!response.req.url?.startsWith('/dies')) response.end();
}
const aPiece = Buffer.alloc(8 * 1024, 'x');
const aLargePiece = Buffer.alloc(256 * 1024, 'x');

/** Sends as fast as the client reads. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(aLargePiece));
  if (!response.destroyed) response.once('drain', () => pour(response));
}

interface Asking {
  method?: string;
  /** Cuts the connection this long after the call started. */
  abortMs?: number;
  /** Stops after this many bytes of the answer. */
  bytesMax?: number;
  body?: AsyncIterable<Buffer>;
}

interface Came {
  status: number;
  bytes: number;
  ms: number;
}

/** A call on a separate connection, as a phone would make it. */
function ask({ server, world }: Drill, route: string, { abortMs, bytesMax, body, method }: Asking = {}) {
  return new Promise<Came>(resolve => {
    const begun = performance.now();
    const came: Came = { status: 0, bytes: 0, ms: 0 };
    const done = () => resolve({ ...came, ms: performance.now() - begun });
    const headers = { authorization: world.authorization() };
    const options = { agent: false, method: method ?? 'GET', headers };
    const request = http.request(server.url + world.pathOf(route), options, answer => {
      came.status = answer.statusCode ?? 0;
      answer.on('data', (chunk: Buffer) => {
        came.bytes += chunk.length;
        if (bytesMax !== undefined && came.bytes >= bytesMax) request.destroy();
      });
      answer.on('error', () => undefined);
    });
    request.on('error', () => undefined).on('close', done);
    if (abortMs !== undefined) setTimeout(() => request.destroy(), abortMs);
    if (body) void sendBody(request, body);
    else request.end();
  });
}

async function sendBody(request: http.ClientRequest, body: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of body) {
    if (request.destroyed) return;
    if (!request.write(chunk)) await new Promise(resolve => request.once('drain', resolve));
  }
  request.end();
}

/** Makes all calls, a limited number at a time. */
async function many<T>(count: number, atOnce: number, one: (i: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) all.push(await one(next++));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return all;
}

async function storm(drill: Drill): Promise<boolean> {
  const { server, world } = drill;
  const aborted = () => ask(drill, 'storm', { abortMs: Math.random() * 400 });
  // Warm-up, because memory for loaded and compiled code is not a leak.
  await many(2_000, 100, aborted);
  await settled(drill, 'storm');
  const before = { mb: memoryMb(server), sockets: socketsOf(server) };
  const calls = await many(10_000, 100, aborted);
  await settled(drill, 'storm');
  const after = { mb: memoryMb(server), sockets: socketsOf(server), held: await world.heldBy('storm') };
  const begun = calls.filter(({ status }) => status > 0).length;
  const well = await many(200, 20, () => ask(drill, 'storm'));
  const failed = well.filter(({ status, bytes }) => status !== 200 || bytes !== 8 * aPiece.length).length;
  console.log(
    `storm: ${calls.length} calls aborted, ${begun} of them within their answer; slots held ${after.held}, ` +
      `sockets ${before.sockets} → ${after.sockets}, memory ${mb(before.mb)} → ${mb(after.mb)}; ` +
      `${failed} of ${well.length} calls failed afterwards`,
  );
  return after.held + failed === 0 && after.sockets <= before.sockets + 10 && isFlat(before.mb, after.mb);
}

/** Waits until no socket of a route is in use; idle connections are closed after some seconds. */
async function settled({ world }: Drill, route: string): Promise<void> {
  const end = performance.now() + 20_000;
  while ((await world.heldBy(route)) > 0 && performance.now() < end) await wait(100);
  await wait(6_000);
}

/** How long calls of a healthy route take beside unhealthy ones. */
async function neighbours(drill: Drill, bytesMax: number): Promise<boolean> {
  const { server } = drill;
  const alone = await many(500, 10, () => ask(drill, 'well'));
  const beforeMb = memoryMb(server);
  drill.peakMb = 0;
  const isOver = new AbortController();
  const bad = ['hangs', 'dribbles', 'dies'].map(async route => {
    while (!isOver.signal.aborted) await many(80, 80, () => ask(drill, route, { abortMs: 5_000 }));
  });
  const beside = await many(500, 10, () => ask(drill, 'well'));
  const endless = await ask(drill, 'endless', { bytesMax });
  isOver.abort();
  await Promise.all(bad);
  const failed = [...alone, ...beside].filter(({ status }) => status !== 200).length;
  const rate = endless.bytes / mebibyte / (endless.ms / 1000);
  console.log(
    `neighbours: a call takes ${percentiles(alone)} alone, ${percentiles(beside)} beside back ends that hang, ` +
      `dribble and die, 80 calls each; ${failed} failed; ${(endless.bytes / 1024 ** 3).toFixed(1)} GiB passed through ` +
      `at ${rate.toFixed(0)} MiB/s; memory ${mb(beforeMb)}, at most ${mb(drill.peakMb)}`,
  );
  return failed === 0 && endless.bytes >= bytesMax && isFlat(beforeMb, drill.peakMb, 2);
}

/** Fifty readers of endless streams. */
async function streams(drill: Drill): Promise<boolean> {
  const beforeMb = memoryMb(drill.server);
  drill.peakMb = 0;
  const read = await many(50, 50, () => ask(drill, 'events', { abortMs: 15_000 }));
  const bytes = read.reduce((sum, one) => sum + one.bytes, 0);
  const least = Math.min(...read.map(one => one.bytes));
  console.log(
    `streams: ${read.length} event streams over 15 s, ${(bytes / mebibyte).toFixed(0)} MiB, ` +
      `at least ${(least / 1024).toFixed(0)} KiB each; memory ${mb(beforeMb)}, at most ${mb(drill.peakMb)}`,
  );
  return least > 0 && isFlat(beforeMb, drill.peakMb);
}

async function* bodyOf(bytes: number) {
  for (let sent = 0; sent < bytes; sent += aLargePiece.length) yield aLargePiece;
}

async function uploads(drill: Drill): Promise<boolean> {
  const beforeMb = memoryMb(drill.server);
  drill.peakMb = 0;
  const sent = await many(100, 10, () =>
    ask(drill, 'upload', { method: 'POST', body: bodyOf(10 * mebibyte) }),
  );
  const failed = sent.filter(({ status }) => status !== 200).length;
  console.log(
    `uploads: ${sent.length} of 10 MiB, 10 at once, ${failed} failed; memory ${mb(beforeMb)}, at most ${mb(drill.peakMb)}`,
  );
  return failed === 0 && isFlat(beforeMb, drill.peakMb);
}

const isFlat = (beforeMb: number, afterMb: number, times = 1) => afterMb - beforeMb < growthMaxMb * times;
const mb = (value: number) => `${value.toFixed(0)} MB`;

function percentiles(calls: readonly Came[]): string {
  const sorted = calls.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(0);
  return `${at(0.5)} ms (p99 ${at(0.99)} ms)`;
}
