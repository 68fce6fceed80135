import { hash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createComponent } from '#contract/component.ts';
import {
  completeVersionUpload,
  createComponentVersion,
  readComponentVersion,
  startVersionUpload,
} from '#contract/componentVersion.ts';
import { createProject } from '#contract/project.ts';
import { type Newcomer, newcomer } from '#test/newcomer.ts';
import { freePort, startMooring, startProcess } from '#test/serverProcess.ts';
import { cpuMs, startNginx } from './nginx/nginx.ts';
import { report } from './report.ts';

const mebibyte = 1024 ** 2;
const downloads = { count: 500, bytes: 10 * mebibyte, rounds: 5 };
const upload = { bytes: 512 * mebibyte, atOnce: 4 };

interface Measured {
  s: number;
  /** CPU time of the server per megabyte. */
  cpuMsPerMb: number;
  peakMb: number;
  mbPerS: number;
}

/**
 * The cost of sending a file to many clients at once, and of receiving a large one: our server, nginx, and bare
 * Fastify.
 */
export async function run(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  writeFileSync(join(dir, 'download'), randomBytes(downloads.bytes));
  const env = { FILES: dir, BYTES: String(downloads.bytes) };
  const bare = await startProcess('bench/reference/files.ts', env);
  const mooring = await startMooring({ DATA_DIR: join(dir, 'data') });
  const developer = await newcomer(mooring.url, 'bench@example.com');
  const file = readFileSync(join(dir, 'download'));
  const small = await aVersion(developer);
  await send(developer, small, { file, sha256: hash('sha256', file) });
  const { url = '' } = await ready(developer, small);
  const [bareId = 0, ourId = 0] = [bare.child.pid, mooring.child.pid];
  const nginx = await nginxes(dir);
  const servers = [
    { name: 'bare Fastify', pid: bareId, url: `${bare.url}/download` },
    { name: 'ours', pid: ourId, url },
    ...nginx,
  ];
  const rows = (await inTurns(servers)).map(({ name, cost }) => row('download', name, cost));
  for (const { stop } of nginx) stop();
  const large = Buffer.alloc(upload.bytes, file);
  const parts = Array.from({ length: upload.bytes / (8 * mebibyte) }, (_, i) => `${bare.url}/upload/${i}`);
  rows.push(row('upload', 'bare Fastify', await cost(bareId, upload.bytes, () => putAll(parts, large))));
  const version = await aVersion(developer);
  const announced = { file: large, sha256: hash('sha256', large) };
  const ours = async () => {
    await send(developer, version, announced);
    await ready(developer, version);
  };
  rows.push(row('upload, verified', 'ours', await cost(ourId, upload.bytes, ours)));
  await Promise.all([bare.stop(), mooring.stop()]);
  rmSync(dir, { recursive: true, force: true });
  report({
    title: 'Firmware: downloads and uploads',
    command: 'npm run bench -- firmware',
    head: ['what', 'server', 'time', 'MB/s', 'CPU per MB', 'peak memory'],
    rows,
    notes: [
      `Downloads: ${downloads.count} at once of ${downloads.bytes / mebibyte} MiB. Upload: ${upload.bytes / mebibyte} MiB in parts of 8 MiB, ${upload.atOnce} at once.`,
      `Downloads alternate between the servers, ${downloads.rounds} rounds; the round with the median CPU time of each counts.`,
      'Ours checks the link, syncs each part to disk, and reads and hashes the whole file at the end; bare Fastify does not.',
      nginx.length > 0 ? 'nginx has one worker.' : 'nginx is not installed on this machine.',
      'The client shares the cores with the servers.',
    ],
  });
}

interface Server {
  name: string;
  pid: number;
  url: string;
}

/** nginx as usual, and without sendfile, so that it also copies the data, as every JavaScript program must. */
async function nginxes(dir: string): Promise<(Server & { stop(): void })[]> {
  const started: (Server & { stop(): void })[] = [];
  for (const sendfile of ['on', 'off']) {
    const port = await freePort();
    const http = `sendfile ${sendfile}; output_buffers 2 256k; server { listen 127.0.0.1:${port}; root ${dir}; }`;
    const nginx = await startNginx(dir, { port, http });
    if (nginx)
      started.push({
        name: `nginx, sendfile ${sendfile}`,
        url: `http://127.0.0.1:${port}/download`,
        ...nginx,
      });
  }
  return started;
}

/** The cost of each server in its median round. */
async function inTurns(servers: readonly Server[]): Promise<{ name: string; cost: Measured }[]> {
  const costs = servers.map(({ name }) => ({ name, all: [] as Measured[] }));
  for (let round = 0; round < downloads.rounds; round++)
    for (const [i, { pid, url }] of servers.entries())
      costs[i]?.all.push(await cost(pid, downloads.count * downloads.bytes, () => fetchMany(url)));
  return costs.flatMap(({ name, all }) => {
    const middle = all.toSorted((a, b) => a.cpuMsPerMb - b.cpuMsPerMb)[Math.floor(all.length / 2)];
    return middle ? [{ name, cost: middle }] : [];
  });
}

const row = (what: string, server: string, { s, cpuMsPerMb, peakMb, mbPerS }: Measured) => [
  what,
  server,
  `${s.toFixed(1)} s`,
  mbPerS.toFixed(0),
  `${cpuMsPerMb.toFixed(2)} ms`,
  `${peakMb.toFixed(0)} MB`,
];

/** The resources that a process used during the work; for nginx, those of its worker. */
async function cost(pid: number, bytes: number, work: () => Promise<unknown>): Promise<Measured> {
  const [before, startedAt] = [cpuMs(pid), performance.now()];
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, memoryMb(pid));
  }, 100);
  await work();
  clearInterval(watch);
  const s = (performance.now() - startedAt) / 1000;
  const megabytes = bytes / 1e6;
  return { s, peakMb, cpuMsPerMb: (cpuMs(pid) - before) / megabytes, mbPerS: megabytes / s };
}

const memoryMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;

async function fetchMany(url: string): Promise<void> {
  await Promise.all(Array.from({ length: downloads.count }, () => fetchOne(url)));
}

function fetchOne(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, answer => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.once('error', reject);
      answer.once('end', () =>
        bytes === downloads.bytes ? resolve() : reject(new Error(`${answer.statusCode}: ${bytes} bytes`)),
      );
    }).once('error', reject);
  });
}

/** Uploads the parts of a file to their URLs, several at a time. */
async function putAll(urls: readonly string[], file: Buffer<ArrayBuffer>): Promise<void> {
  const partBytes = Math.ceil(file.length / urls.length);
  const waiting = [...urls.entries()];
  const sender = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [i, url] = next;
      const body = file.subarray(i * partBytes, (i + 1) * partBytes);
      const { status } = await fetch(url, { method: 'PUT', body });
      if (status !== 204) throw new Error(`Part ${i + 1} was answered with ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: upload.atOnce }, sender));
}

let count = 0;

async function aVersion({ client }: Newcomer): Promise<string> {
  count += 1;
  const project = await client.call(createProject, { body: { name: `Bench ${count}` } });
  const component = await client.call(createComponent, { body: { projectId: project.id, name: 'main' } });
  const body = { componentId: component.id, name: '1.0' };
  return (await client.call(createComponentVersion, { body })).id;
}

/** Uploads a file with its checksum, as the console and the command line do. */
async function send(
  { client }: Newcomer,
  versionId: string,
  { file, sha256 }: { file: Buffer<ArrayBuffer>; sha256: string },
): Promise<void> {
  const parts = Math.max(1, Math.floor(file.length / (8 * mebibyte)));
  const body = { filename: 'main.bin', bytes: file.length, parts };
  const { uploadId, urls } = await client.call(startVersionUpload, { params: { versionId }, body });
  await putAll(urls, file);
  await client.call(completeVersionUpload, { params: { versionId, uploadId }, body: { sha256 } });
}

async function ready({ client }: Newcomer, versionId: string) {
  for (;;) {
    const version = await client.call(readComponentVersion, { params: { versionId } });
    if (version.state === 'ready') return version;
    if (version.state === 'failed') throw new Error(version.error);
    await wait(20);
  }
}
