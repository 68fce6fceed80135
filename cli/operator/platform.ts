import { openInstallation } from '#server/api/installation/openInstallation.ts';
import { appendEntry } from '#server/api/logs/append.ts';
import { logPartitions } from '#server/api/logs/partitions.ts';
import { createPlatform } from '#server/createPlatform.ts';
import type { Config } from '#server/infra/config.ts';
import { createPartitions } from '#server/infra/db/maintainPartitions.ts';
import { migrate } from '#server/infra/db/migrate.ts';
import { joinPostgres } from '#server/infra/db/postgres.ts';
import { type Db, openDatabase } from '#server/infra/db/sql.ts';
import { migrateJobs } from '#server/infra/jobs/jobs.ts';
import { createLog } from '#server/infra/log.ts';
import type { Platform } from '#server/infra/platform.ts';

/** The parts of the server without its doors. Works with or without a running server. */
export async function withPlatform<T>(config: Config, work: (platform: Platform) => Promise<T>): Promise<T> {
  const log = createLog(config.logLevel);
  const postgres = await joinPostgres({ ...config, log: { warn: text => log('warn', text) } });
  const db = openDatabase(postgres.url, { max: 2 });
  const clock = () => new Date();
  const slices = () => import('#server/slices.ts').then(({ slices }) => slices);
  const listening = () => `http://localhost:${config.port}`;
  try {
    await migrate(postgres.url);
    await migrateJobs({ pool: db.pool, log });
    await createPartitions(db, Object.values(logPartitions), clock());
    const parts = await openInstallation(db, config, log);
    const platform = createPlatform({ config, db, clock, log, ...parts, listening, slices });
    try {
      return await work(platform);
    } finally {
      await platform.bus.end();
    }
  } finally {
    await db.end();
    await postgres.stop();
  }
}

/** Actions of an operator are recorded in the audit log like all others. */
export async function auditOperator(
  db: Db,
  platform: Platform,
  entry: { orgId: string; subject?: string; action: string; text: string; detail?: Record<string, unknown> },
): Promise<void> {
  const who = process.env.SUDO_USER ?? process.env.USER ?? 'operator';
  await appendEntry(db, platform, {
    projectId: entry.orgId,
    stream: 'audit',
    ts: platform.clock(),
    level: 2,
    subject: entry.subject,
    actor: { callerType: 'operator', id: who, displayName: who },
    action: entry.action,
    text: entry.text,
    ...(entry.detail && { detail: entry.detail }),
  });
}
