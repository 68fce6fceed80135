import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deleteDevice } from '#contract/device.ts';
import { hourMs } from '#rules/time/durations.ts';
import { findLogFile } from '#server/devices/logRequests/logFile.ts';
import { sql } from '#server/infra/db/sql.ts';
import { attempt } from '#test/attempt.ts';
import { aLoggingDevice, logLines, put } from '#test/logRequests.ts';
import { anS3 } from '#test/s3.ts';
import { until } from '#test/until.ts';
import { aWorld, theWorld } from '#test/world.ts';
import { confirmFile, dropFile, receiveFile, removeFilesJob } from './receiveFile.ts';

const world = theWorld();

const tidy = (of = world) => removeFilesJob(of.platform)({}, attempt);

async function* some() {
  yield Buffer.from('some bytes');
}

it('a file that was not kept is removed once its upload cannot be in progress any more', async () => {
  const { platform } = world;
  const { place } = await receiveFile(platform, some(), 100);
  world.pass(hourMs);
  await tidy();
  expect(await platform.storage.size(place)).toBe(10);
  world.pass(1.1 * hourMs);
  await tidy();
  expect(await platform.storage.size(place)).toBeUndefined();
  await expect(platform.db.tx(db => confirmFile(db, place))).rejects.toThrow('removed before');
});

it('a file that was kept stays, and one whose transaction failed is removed', async () => {
  const { platform } = world;
  const [kept, lost] = [await receiveFile(platform, some(), 100), await receiveFile(platform, some(), 100)];
  await platform.db.tx(db => confirmFile(db, kept.place));
  const failed = platform.db.tx(async db => {
    await confirmFile(db, lost.place);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await dropFile(platform, lost.place);
  world.pass(3 * hourMs);
  await tidy();
  expect(await platform.storage.size(kept.place)).toBe(10);
  expect(await platform.storage.size(lost.place)).toBeUndefined();
});

it('a file that is kept while it is due for removal stays', async () => {
  const { platform } = world;
  const { place } = await receiveFile(platform, some(), 100);
  world.pass(3 * hourMs);
  let tidying: Promise<void> | undefined;
  await platform.db.tx(async db => {
    await confirmFile(db, place);
    tidying = tidy();
    await until(async () => ((await waiting()) > 0 ? true : undefined));
  });
  await tidying;
  expect(await platform.storage.size(place)).toBe(10);
});

/** How many queries wait for a lock. */
async function waiting(): Promise<number> {
  const row = await world.platform.db.one<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`);
  return row?.count ?? 0;
}

it('a partial file of a killed write is removed as well', async () => {
  const { platform } = world;
  const { place } = await receiveFile(platform, some(), 100);
  await platform.storage.remove(place);
  const incoming = join(platform.config.dataDir, 'files/incoming');
  mkdirSync(incoming, { recursive: true });
  writeFileSync(join(incoming, place), 'half');
  world.pass(3 * hourMs);
  await tidy();
  expect(existsSync(join(incoming, place))).toBe(false);
});

it('a file that cannot be removed does not prevent the removal of others', async () => {
  const { platform } = world;
  const [stuck, other] = [await receiveFile(platform, some(), 100), await receiveFile(platform, some(), 100)];
  await platform.storage.remove(stuck.place);
  mkdirSync(join(platform.config.dataDir, 'files', stuck.place.slice(-2), stuck.place));
  await dropFile(platform, stuck.place);
  world.pass(1000);
  await dropFile(platform, other.place);
  await tidy();
  expect(await platform.storage.size(other.place)).toBeUndefined();
});

it('a server that stops leaves due removals to another one', async () => {
  const { platform } = world;
  const { place } = await receiveFile(platform, some(), 100);
  await dropFile(platform, place);
  await removeFilesJob(platform)({}, { isLast: false, signal: AbortSignal.abort() });
  expect(await platform.storage.size(place)).toBeDefined();
  await tidy();
  expect(await platform.storage.size(place)).toBeUndefined();
});

it('with S3, a log can be uploaded and read in ranges, and is deleted with its device', async () => {
  const s3 = await anS3();
  const other = await aWorld(s3.env);
  const { device, project, owner, ask, read, frame } = await aLoggingDevice(other);
  const { id } = await ask();
  expect(await put((await frame()).uploadUrl, logLines(100))).toMatchObject({ status: 204 });
  const { url = '', sizeBytes = 0 } = await read(id);
  const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(whole.length).toBe(sizeBytes);
  const part = await fetch(url, { headers: { range: 'bytes=5-9' } });
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(5, 10))).toBe(true);
  const key = { projectId: project.id, deviceId: device.id, requestId: id };
  const { place } = await findLogFile(other.platform.db, key);
  await owner.client.call(deleteDevice, { params: { deviceId: device.id } });
  await tidy(other);
  expect(await other.platform.storage.size(place)).toBeUndefined();
  await other.end();
  await s3.end();
});
