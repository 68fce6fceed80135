import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { createProject } from '#contract/project.ts';
import { createProxyRoute } from '#contract/proxyRoute.ts';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { openDatabase } from '#server/infra/db/sql.ts';
import { newcomer } from '#test/newcomer.ts';
import { freePort, startMooring, startProcess } from '#test/serverProcess.ts';
import { anAccessToken } from './endUsers/accessToken.ts';
import { atRate } from './gateway/loads.ts';
import { cpuMs, startNginx } from './nginx/nginx.ts';
import { ms, perS, report } from './report.ts';

const answerBytes = 1024;
const warmUpS = 3;
/** As many as a single user can have, at once and waiting. */
const connections = 48;

interface Way {
  name: string;
  url: string;
  headers?: Record<string, string>;
  /** The process whose CPU time is measured. */
  pid: number | undefined;
}

interface Measured {
  perS: number;
  p50: number;
  p99: number;
  cpuUs: number | undefined;
  errors: number;
}

/**
 * The cost of a call through the proxy, compared with nginx and a bare proxy in front of the same back end, and with a
 * call that the server answers itself after the same checks. `npm run bench -- proxy 1000 10`: calls per second,
 * seconds.
 */
export async function run(words: string[]): Promise<void> {
  const [rate = 1_000, seconds = 10] = words.map(Number);
  const dir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const [backEndPort, nginxPort] = [await freePort(), await freePort()];
  const backEnd = await startNginx(dir, {
    port: backEndPort,
    http: `server { listen 127.0.0.1:${backEndPort}; keepalive_requests 1000000;
      location / { default_type text/plain; return 200 "${'x'.repeat(answerBytes)}"; } }`,
  });
  const proxying = await startNginx(dir, {
    port: nginxPort,
    http: `upstream b { server 127.0.0.1:${backEndPort}; keepalive 100; keepalive_requests 1000000; }
      server { listen 127.0.0.1:${nginxPort}; keepalive_requests 1000000;
      location / { proxy_pass http://b; proxy_http_version 1.1; proxy_set_header Connection ""; } }`,
  });
  if (!backEnd || !proxying)
    throw new Error('nginx is not installed: it is the back end, and what we are held against.');
  const postgres = await startPostgres({ dataDir: dir, log: { warn: console.warn } });
  const env = {
    DATA_DIR: dir,
    DATABASE_URL: postgres.url,
    ALLOW_PRIVATE_TARGETS: '127.0.0.1',
    RATE_LIMITS: 'off',
  };
  const targetUrl = `http://127.0.0.1:${backEndPort}`;
  const bare = await startProcess('bench/reference/bareProxy.ts', { TARGET: targetUrl });
  const mooring = await startMooring(env);
  const db = openDatabase(postgres.url, { max: 1 });
  try {
    const owner = await newcomer(mooring.url, 'bench@example.com');
    const { id: projectId } = await owner.client.call(createProject, { body: { name: 'Proxy' } });
    const token = await anAccessToken(db, owner, projectId);
    const route = { projectId, resource: 'project', sourcePath: '/', targetUrl } as const;
    await owner.client.call(createProxyRoute, { body: route });
    const ours = {
      headers: { authorization: `Bearer ${token}` },
      pid: mooring.child.pid,
    };
    const base = `${mooring.url}/app/v1/bench@${projectId}`;
    const ways: Way[] = [
      { name: 'straight to the back end', url: targetUrl, pid: undefined },
      { name: 'through nginx', url: `http://127.0.0.1:${nginxPort}`, pid: proxying.pid },
      { name: 'through a bare proxy (node:http, undici)', url: bare.url, pid: bare.child.pid },
      { name: 'answered by Mooring itself', url: `${base}/me`, ...ours },
      { name: 'through Mooring, signed', url: `${base}/projects/${projectId}/appProxy/x`, ...ours },
    ];
    const rows = [];
    for (const way of ways) {
      await measureMost(way, warmUpS);
      rows.push({ way, at: await measureAt(way, { rate, seconds }), most: await measureMost(way, seconds) });
    }
    tell({ rate, seconds }, rows);
  } finally {
    await db.end();
    await mooring.stop();
    await bare.stop();
    await postgres.stop();
    for (const one of [backEnd, proxying]) one.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Measures the maximum throughput. */
async function measureMost({ url, headers, pid }: Way, seconds: number): Promise<Measured> {
  const before = pid === undefined ? 0 : cpuMs(pid);
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    headers: headers ?? {},
    duration: seconds,
    connections,
  });
  return {
    perS: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    errors: non2xx + errors,
    cpuUs: pid === undefined ? undefined : ((cpuMs(pid) - before) * 1000) / requests.total,
  };
}

/** Measures at a fixed, even rate; autocannon would send all calls of a second at its beginning. */
async function measureAt(
  { url, headers, pid }: Way,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Measured> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections });
  const before = pid === undefined ? 0 : cpuMs(pid);
  let errors = 0;
  const times = await atRate(rate, seconds, async () => {
    const { statusCode, body } = await pool.request({
      path: pathname,
      method: 'GET',
      headers: headers ?? {},
    });
    await body.dump();
    if (statusCode !== 200) errors += 1;
  });
  const cpuUs = pid === undefined ? undefined : ((cpuMs(pid) - before) * 1000) / (rate * seconds);
  await pool.close();
  return { ...times, perS: rate, cpuUs, errors };
}

function tell(
  { rate, seconds }: { rate: number; seconds: number },
  rows: { way: Way; at: Measured; most: Measured }[],
): void {
  const us = (value: number | undefined) => (value === undefined ? '' : `${value.toFixed(0)} µs`);
  const [, nginx, bare, own, through] = rows;
  const cpuUs = (row: (typeof rows)[number] | undefined, of: 'at' | 'most') => row?.[of].cpuUs ?? Number.NaN;
  const ratios = (of: 'at' | 'most') =>
    `${(cpuUs(through, of) / cpuUs(bare, of)).toFixed(1)} × the bare proxy, ${(cpuUs(through, of) / cpuUs(nginx, of)).toFixed(1)} × nginx`;
  report({
    title: 'A call of 1 KB through the proxy',
    command: `npm run bench -- proxy ${rate} ${seconds}`,
    head: ['', `CPU per call at ${perS(rate)}`, 'p50', 'p99', 'maximum rate', 'CPU per call then', 'errors'],
    rows: rows.map(({ way, at, most }) => [
      way.name,
      us(at.cpuUs),
      ms(at.p50),
      ms(at.p99),
      perS(most.perS),
      us(most.cpuUs),
      String(at.errors + most.errors),
    ]),
    notes: [
      'The back end is also nginx; load, servers and database share the machine. Connections: 50.',
      `Through Mooring: ${ratios('most')} at the maximum rate; ${ratios('at')} at ${perS(rate)}.`,
      `Forwarding and signing cost ${us(cpuUs(through, 'at') - cpuUs(own, 'at'))} more than a call with the same session, rights and log that the server answers itself. Target: 100 µs, and a p99 at most 5 ms above that of direct calls.`,
    ],
  });
}
