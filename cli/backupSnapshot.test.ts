import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dayMs } from '#rules/time/durations.ts';
import { dropFile, receiveFile, removeFilesJob } from '#server/api/files/receiveFile.ts';
import { logPartitions } from '#server/api/logs/partitions.ts';
import { maintainPartitions } from '#server/infra/db/maintainPartitions.ts';
import { sql } from '#server/infra/db/sql.ts';
import { attempt } from '#test/attempt.ts';
import { theWorld } from '#test/world.ts';
import { withSnapshot } from './operator/backup/snapshot.ts';

const world = theWorld();
const during = (work: () => Promise<void>) =>
  withSnapshot(world.platform.config.databaseUrl ?? '', async client => {
    const seen = async () => (await client.query('select count(*)::int as count from developers')).rows;
    const before = await seen();
    await work();
    expect(await seen()).toEqual(before);
  });

it('a write during a backup is not in it, and does not wait', async () => {
  await during(async () => {
    await world.aDeveloper();
  });
});

it('a file whose row is deleted during a backup is removed afterwards', async () => {
  const { platform } = world;
  const { place } = await receiveFile(
    platform,
    (async function* () {
      yield Buffer.from('log');
    })(),
    100,
  );
  const path = join(platform.config.dataDir, 'files', place.slice(-2), place);
  await during(async () => {
    await dropFile(platform, place);
    await removeFilesJob(platform)({}, attempt);
    expect(existsSync(path)).toBe(true);
  });
  await removeFilesJob(platform)({}, attempt);
  expect(existsSync(path)).toBe(false);
});

it('partitions are neither created nor dropped while a backup reads, so that writers do not wait for it', async () => {
  const { db } = world.platform;
  const later = new Date(world.now().getTime() + 400 * dayMs);
  const maintain = () => maintainPartitions(db, Object.values(logPartitions), later);
  const names = () => db.many(sql`select inhrelid::regclass::text as name from pg_inherits order by 1`);
  const before = await names();
  await during(async () => {
    await maintain();
    expect(await names()).toEqual(before);
  });
  await maintain();
  expect(await names()).not.toEqual(before);
});
