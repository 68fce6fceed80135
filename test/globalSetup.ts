import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ownerOf } from '#server/infra/db/embedded/ownership.ts';
import { findPostmaster } from '#server/infra/db/embedded/postmaster.ts';
import { migrate } from '#server/infra/db/migrate.ts';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { openDatabase, sql } from '#server/infra/db/sql.ts';
import { migrateJobs } from '#server/infra/jobs/jobs.ts';
import { place } from './place.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated template database that nobody connects to. */
    templateUrl: string;
  }
}

const abandonedMs = 10 * 60_000;

/**
 * One database server for the whole run, which does not have to survive a power failure. Each project of the run calls
 * this, one after the other; the first starts it for all.
 */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('templateUrl' in vitest.getProvidedContext()) return undefined;
  removeAbandoned();
  const dataDir = mkdtempSync(join(place, 'mooring-test-'));
  // If root starts the server, it runs as another user, who must be able to traverse the folder.
  chmodSync(dataDir, 0o711);
  const postgres = await startPostgres({
    dataDir,
    log: console,
    // Without autovacuum too: while one of its workers is in a database, the database cannot be dropped.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      // Each worker has a platform or two, of which each has the connections of a whole installation.
      max_connections: '200',
    },
  });
  const template = new URL(postgres.url);
  template.pathname = '/template';
  const database = openDatabase(postgres.url, { max: 1 });
  await database.run(sql`create database template`);
  await database.end();
  await migrate(template.href);
  const jobs = openDatabase(template.href, { max: 1 });
  await migrateJobs({ pool: jobs.pool, log: console.warn });
  await jobs.end();
  vitest.provide('templateUrl', template.href);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/**
 * Removes what killed runs left behind; their servers are still running. A recent folder may belong to another run that
 * just started.
 */
function removeAbandoned(): void {
  for (const name of readdirSync(place).filter(name => /^mooring-(test|case)-/.test(name))) {
    const dataDir = join(place, name);
    const stat = statSync(dataDir, { throwIfNoEntry: false });
    if (!stat || Date.now() - stat.mtimeMs < abandonedMs || ownerOf(dataDir) !== undefined) continue;
    const server = findPostmaster(join(dataDir, 'postgres'));
    if (server) process.kill(server.pid, 'SIGQUIT');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}
