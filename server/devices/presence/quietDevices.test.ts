import { expect, it } from 'vitest';
import { editDevice, listDevices } from '#contract/device.ts';
import { listFindings } from '#contract/finding.ts';
import { listDevicePulses } from '#contract/fleet.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { attempt } from '#test/attempt.ts';
import { aDevice } from '#test/devices.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { PresenceMarks } from './presenceMarks.ts';
import { findQuietDevicesJob } from './quietDevices.ts';

const at = aProjectWorld();
const begin = Date.parse('2026-03-02T00:00:00Z');

/** A device that speaks at the given times, and what the console is told about it. */
async function aSpeaker() {
  const { id: projectId } = await at.world.aProject(at.owner);
  const { id } = await aDevice(at.owner, projectId, { name: 'Cellar' });
  const { platform } = at.world;
  const marks = new PresenceMarks(platform);
  let nowMs = begin;
  const params = { projectId };
  const judge = (startedMs = begin) =>
    findQuietDevicesJob({ db: platform.db, clock: () => new Date(nowMs) }, new Date(startedMs))({}, attempt);
  return {
    projectId,
    id,
    judge,
    async speaks(times: number, everyMs: number) {
      for (let n = 0; n < times; n++) {
        nowMs += everyMs;
        marks.message({ projectId, id }, new Date(nowMs));
        await marks.write();
      }
    },
    async isQuietAfter(silenceMs: number, startedMs?: number) {
      nowMs += silenceMs;
      await judge(startedMs);
      const all = await at.owner.client.call(listFindings, { params });
      return all.find(({ signal }) => signal === 'quiet');
    },
    state: (seenAt: string) =>
      platform.db.run(
        sql`update device_presence set seen_at = ${seenAt}, since = ${new Date(nowMs)} where device_id = ${id}`,
      ),
  };
}

it('a device that is silent for far longer than it ever was is quiet, until it speaks', async () => {
  const device = await aSpeaker();
  await device.state('infinity');
  await device.speaks(40, hourMs);
  expect(await device.isQuietAfter(2 * hourMs)).toBeUndefined();
  const finding = await device.isQuietAfter(2 * hourMs);
  const since = new Date(begin + 40 * hourMs).toISOString();
  expect(finding).toMatchObject({
    count: 1,
    since,
    at: new Date(begin + 44 * hourMs).toISOString(),
    devices: [{ name: 'Cellar' }],
    quiet: { everyS: 3600, isConnected: true },
  });
  const { projectId, id } = device;
  const { items } = await at.owner.client.call(listDevices, { query: { projectId, signal: 'quiet' } });
  expect(items.map(one => one.id)).toEqual([id]);
  const [pulse] = await at.owner.client.call(listDevicePulses, { params: { projectId }, query: { ids: id } });
  expect(pulse?.signals).toEqual([{ signal: 'quiet', count: 1 }]);
  await device.speaks(1, minuteMs);
  expect(await device.isQuietAfter(0)).toBeUndefined();
  expect(await device.isQuietAfter(dayMs)).toMatchObject({ count: 1 });
});

it('a device of which little is known is not quiet', async () => {
  const few = await aSpeaker();
  await few.speaks(20, 2 * hourMs);
  expect(await few.isQuietAfter(5 * dayMs)).toBeUndefined();
  const young = await aSpeaker();
  await young.speaks(60, minuteMs);
  expect(await young.isQuietAfter(5 * dayMs)).toBeUndefined();
});

it('a device that sleeps at night is not quiet at night, and one that reports often is not quiet for minutes', async () => {
  const sleeper = await aSpeaker();
  for (let day = 0; day < 3; day++) {
    await sleeper.speaks(12, hourMs);
    await sleeper.speaks(1, 12 * hourMs);
  }
  expect(await sleeper.isQuietAfter(14 * hourMs)).toBeUndefined();
  const often = await aSpeaker();
  await often.speaks(30, hourMs);
  await often.speaks(1, 1_000);
  expect(await often.isQuietAfter(14 * minuteMs)).toBeUndefined();
});

it('a device that has become slower is found at first, and then no more', async () => {
  const device = await aSpeaker();
  await device.speaks(40, hourMs);
  expect(await device.isQuietAfter(5 * hourMs)).toMatchObject({ count: 1 });
  await device.speaks(3, 8 * hourMs);
  expect(await device.isQuietAfter(8 * hourMs)).toBeUndefined();
});

it('nobody is quiet because the platform was down, is suspended, or has just connected', async () => {
  const device = await aSpeaker();
  await device.speaks(40, hourMs);
  const upAt = begin + 40 * hourMs + 2 * dayMs;
  expect(await device.isQuietAfter(2 * dayMs, upAt)).toBeUndefined();
  await device.state('infinity');
  expect(await device.isQuietAfter(2 * hourMs)).toBeUndefined();
  await at.world.platform.db.run(sql`
    update device_presence set suspended = true where device_id = ${device.id}`);
  expect(await device.isQuietAfter(2 * dayMs)).toBeUndefined();
});

it('a device that was resumed has time to speak before it is quiet', async () => {
  const device = await aSpeaker();
  await device.speaks(40, hourMs);
  const params = { deviceId: device.id };
  for (const suspended of [true, false])
    await at.owner.client.call(editDevice, { params, body: { suspended } });
  const resumedAfter = at.world.now().getTime() - (begin + 40 * hourMs);
  expect(await device.isQuietAfter(resumedAfter + 2 * hourMs)).toBeUndefined();
  expect(await device.isQuietAfter(2 * hourMs)).toMatchObject({ count: 1 });
});
