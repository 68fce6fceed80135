import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProject } from '#contract/project.ts';
import { verifyLog } from '#server/api/logs/auditChain/verify.ts';
import { blockSize } from '#server/api/logs/blocks.ts';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { type Database, openDatabase, raw, sql } from '#server/infra/db/sql.ts';
import { createSealing, readMasterKey } from '#server/infra/sealing.ts';
import { newcomer } from '#test/newcomer.ts';
import { startMooring } from '#test/serverProcess.ts';
import { reportReads } from './auditLog/reads.ts';
import { seal, seedLarge, seedSmall, times } from './auditLog/seed.ts';
import { appendTimes, editTimes } from './auditLog/writes.ts';
import { ms, percentile, perS, report } from './report.ts';

/** `npm run bench -- auditLog [entries of the smaller log]`. The larger one has ten times as many. */
export async function run([given = '1000000']: string[]): Promise<void> {
  // Whole blocks, so that the larger log can be built from the smaller one's.
  const entries = Math.ceil(Number(given) / blockSize) * blockSize;
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const env = { DATA_DIR: dataDir, DATABASE_URL: postgres.url };
  // Without the role `worker`, the server does not seal.
  const server = await startMooring({ ...env, ROLES: 'api' });
  const { client } = await newcomer(server.url, 'bench@example.com');
  const make = async (name: string) => (await client.call(createProject, { body: { name } })).id;
  const ids = { small: await make('small'), large: await make('large'), edited: await make('edited') };
  const db = openDatabase(postgres.url, { max: 1 });
  const { key = Buffer.alloc(0) } = readMasterKey(undefined, dataDir);
  const sealing = createSealing(key);
  const took = await makeLogs(db, ids, entries);
  await reportReads(client, ids, entries);
  const verifyMs = await timeOf(async () => {
    const { intact, fault } = await verifyLog({ db, sealing }, ids.small, new Date());
    if (!intact) throw new Error(`The chain is broken: ${fault?.text}`);
  });

  await db.run(sql`set synchronous_commit = on`);
  const { bare, noted } = await appendTimes(db, ids.edited);
  await server.stop();
  const servers = await Promise.all([startMooring({ ...env, ROLES: 'api' }), startMooring(env)]);
  const places = await Promise.all(
    servers.map(async ({ url }, i) => {
      const { client: own } = await newcomer(url, `editor${i}@example.com`);
      return { client: own, projectId: (await own.call(createProject, { body: { name: 'edited' } })).id };
    }),
  );
  const [unsealed = [], sealed = []] = await editTimes(places);
  await Promise.all(servers.map(one => one.stop()));
  await db.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });

  const each = (all: number[]) => [0.5, 0.95].map(part => ms(percentile(all, part)));
  const rate = (milliseconds: number) => [perS((entries / milliseconds) * 1000), ''];
  report({
    title: 'Audit log: what sealing costs',
    command: 'npm run bench -- auditLog',
    head: ['', 'p50 or rate', 'p95'],
    rows: [
      ['append in a transaction, without noting it for the sealer', ...each(bare)],
      ['append in a transaction, with the note', ...each(noted)],
      ['PATCH a project, audited, without a sealer', ...each(unsealed)],
      ['PATCH a project, audited, while the sealer runs', ...each(sealed)],
      ['sealing a backlog, entries', ...rate(took.sealMs)],
      ['making it searchable, entries', ...rate(took.blocksMs)],
      ['verifying, entries', ...rate(verifyMs)],
    ],
    notes: [
      'The two ways to append and the two servers alternate, call by call, on one database.',
      'Differences under 15 % are a tie.',
    ],
  });
}

async function makeLogs(db: Database, ids: { small: string; large: string }, entries: number) {
  await db.run(sql`set synchronous_commit = off`);
  for (let ago = 0; ago < 13; ago++) await makeMonth(db, ago);
  say(`writing ${entries} entries`);
  await seedSmall(db, ids.small, entries);
  say('sealing them');
  const took = await seal(db, ids.small);
  say(`writing ${times * entries} entries`);
  await seedLarge(db, ids.small, ids.large, entries);
  say('tidying up');
  for (const table of ['log_entries', 'audit_blocks', 'audit_seals', 'audit_unsealed'])
    await db.run(sql`${raw(`vacuum (analyze) ${table}`)}`);
  say('measuring');
  return took;
}

/**
 * Creates a partition for a past month, which the platform itself never does. Unlogged, so that it is filled faster;
 * reads are the same.
 */
async function makeMonth(db: Database, ago: number): Promise<void> {
  const now = new Date();
  const month = (n: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).toISOString();
  const name = `log_entries_audit_${month(ago).slice(0, 7).replace('-', '')}`;
  await db.run(
    sql`${raw(`create unlogged table if not exists ${name} partition of log_entries_audit
    for values from ('${month(ago)}') to ('${month(ago - 1)}')`)}`,
  );
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function say(what: string): void {
  console.log(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${what}`);
}
