import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { createProject } from '#contract/project.ts';
import { startPostgres } from '#server/db/postgres.ts';
import { openDatabase, sql } from '#server/db/sql.ts';
import { newcomer, password } from '#test/newcomer.ts';
import { type ServerProcess, startMooring, startProcess } from '#test/serverProcess.ts';
import { ms, perS, report } from './report.ts';

const seconds = 5;
const projects = 60;

interface Load {
  name: string;
  bar: number;
  request: (ids: { projectId: string; cookie: string; email: string }) => Partial<autocannon.Options>;
}

const json = { 'content-type': 'application/json', 'x-console-guard': '1' };

const loads: Load[] = [
  {
    name: 'GET one project',
    bar: 0.7,
    request: ({ projectId }) => ({ url: `/api/projects/${projectId}`, connections: 10 }),
  },
  { name: 'GET list of 25 with total', bar: 0.7, request: () => ({ url: '/api/projects', connections: 10 }) },
  {
    name: 'POST a project, audited',
    bar: 0.6,
    request: () => ({
      url: '/api/projects',
      method: 'POST',
      body: '{"name":"made in a bench"}',
      connections: 50,
    }),
  },
  {
    name: 'POST login, Argon2id 19 MiB t2',
    bar: 0.7,
    request: ({ email }) => ({
      url: '/api/auth/password',
      method: 'POST',
      body: JSON.stringify({ orgId: 'default', email, password }),
      connections: 4,
    }),
  },
];

/** Ours beside bare Fastify with the same SQL, on the same database, one after the other in the same run. */
export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const env = { DATA_DIR: dataDir, DATABASE_URL: postgres.url };
  const mooring = await startMooring(env);
  const reference = await startProcess('bench/reference.ts', env);
  const { client, cookies, email } = await newcomer(mooring.url, 'bench@example.com');
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const db = openDatabase(postgres.url, { max: 1 });
  await db.run(sql`update developers set max_projects = 10000000`);
  let projectId = '';
  for (let i = 0; i < projects; i++) {
    projectId = (await client.call(createProject, { body: { name: `project ${i}` } })).id;
  }

  const rows: string[][] = [];
  for (const load of loads) {
    const options = load.request({ projectId, cookie, email });
    // Twice each, in turns: the first round warms up both, the second counts.
    let pair: [autocannon.Result, autocannon.Result] | undefined;
    for (let round = 0; round < 2; round++) {
      pair = [await fire(reference, options, cookie), await fire(mooring, options, cookie)];
      await db.run(sql`delete from projects where name = 'made in a bench'`);
    }
    if (pair) rows.push(row(load, pair[0], pair[1]));
  }
  await db.end();
  await Promise.all([mooring.stop(), reference.stop()]);
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });

  report({
    title: 'Developer API beside bare Fastify with the same SQL',
    command: 'npm run bench -- api',
    head: ['call', 'connections', 'reference', 'ours', 'ratio', 'bar', 'ours p50', 'ours p99', 'errors'],
    rows,
    notes: [
      'Load, both servers and PostgreSQL share the same cores; the two servers are never loaded at once.',
      'The reference looks up the session, checks membership and writes the audit row, and does nothing else.',
      'Differences under 15 % are a tie.',
    ],
  });
}

function fire(
  server: ServerProcess,
  options: Partial<autocannon.Options>,
  cookie: string,
): Promise<autocannon.Result> {
  return autocannon({
    ...options,
    url: server.url + options.url,
    duration: seconds,
    headers: { ...json, cookie },
  } as autocannon.Options);
}

function row({ name, bar }: Load, reference: autocannon.Result, ours: autocannon.Result): string[] {
  const ratio = ours.requests.average / reference.requests.average;
  return [
    name,
    String(ours.connections),
    perS(reference.requests.average),
    perS(ours.requests.average),
    ratio.toFixed(2),
    `≥ ${bar}`,
    ms(ours.latency.p50),
    ms(ours.latency.p99),
    String(ours.non2xx + ours.errors + reference.non2xx + reference.errors),
  ];
}
