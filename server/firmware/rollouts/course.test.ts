import { describe, expect, it } from 'vitest';
import { readChannel } from '#contract/channel.ts';
import type { Rollout } from '#contract/rollout.ts';
import { listRolloutDevices } from '#contract/rolloutReport.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { attempt } from '#test/attempt.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import {
  act,
  admittedOf,
  aRolloutFleet,
  bring,
  connect,
  create,
  look,
  read,
  report,
  settle,
  targetsOf,
} from '#test/rollouts.ts';
import { advanceRollout } from './advanceRollout.ts';
import { advanceRolloutsJob } from './rolloutJobs.ts';

// Without workers: these tests advance the rollouts themselves.
const at = aProjectWorld({ ROLES: 'api' });
const itself = (...percents: number[]) => percents.map(percent => ({ percent, startsBy: 'itself' as const }));

it('more rollouts than can be advanced in a minute take turns', async () => {
  const made: Rollout[] = [];
  for (let n = 0; n < 3; n++) made.push(await create(at, await aRolloutFleet(at, 1), { steps: itself(100) }));
  const minutely = advanceRolloutsJob(at.world.platform, 2);
  for (let minute = 0; minute < 2; minute++) await minutely({}, attempt);
  for (const one of made) expect(await admittedOf(at, one)).toHaveLength(1);
});

describe('a rollout that goes well', () => {
  it('completes its steps in the order of places, soaks, and leaves its devices to the channel', async () => {
    const fleet = await aRolloutFleet(at, 60);
    const made = await create(at, fleet, { steps: itself(30, 100), soakS: 3600 });
    await look(at, made);
    const first = await admittedOf(at, made);
    expect(first).toHaveLength(made.steps[0]?.devices ?? 0);
    expect(first.length).toBeGreaterThan(5);
    expect(first.length).toBeLessThan(35);
    const told = (await targetsOf(at, fleet)).filter(({ bundleId }) => bundleId === fleet.next);
    expect(told.map(({ deviceId }) => deviceId)).toEqual(first);
    expect(told.every(({ origin, rolloutId }) => origin === 'rollout' && rolloutId === made.id)).toBe(true);

    await settle(at, made, first, 'updated');
    await look(at, made);
    expect(await read(at, made)).toMatchObject({ step: 0, settledAt: expect.any(String) });
    at.world.pass(hourMs);
    await look(at, made);
    expect(await admittedOf(at, made)).toEqual([...fleet.ids].sort());
    const rest = fleet.ids.filter(id => !first.includes(id));
    await settle(at, made, rest, 'updated');
    const before = await targetsOf(at, fleet);
    await look(at, made);
    at.world.pass(hourMs);
    await look(at, made);
    expect(await read(at, made)).toMatchObject({ state: 'finished', counts: { admitted: 60, updated: 60 } });
    const channel = await at.owner.client.call(readChannel, { params: { channelId: fleet.channel.id } });
    expect(channel).toMatchObject({ bundleId: fleet.next });
    // Devices keep their sequence number: nothing changes for them.
    const after = await targetsOf(at, fleet);
    expect(after).toEqual(before.map(one => ({ ...one, origin: 'channel', rolloutId: null })));
  });

  it('admits devices at its rate from the first minute on, and chosen devices first', async () => {
    const fleet = await aRolloutFleet(at, 30);
    const chosen = fleet.ids.slice(3, 5);
    const made = await create(at, fleet, { steps: itself(100), rate: 7, deviceIds: chosen });
    await look(at, made);
    await look(at, made);
    const first = await admittedOf(at, made);
    expect(first).toHaveLength(7);
    expect(first).toEqual(expect.arrayContaining(chosen));
    at.world.pass(minuteMs);
    await look(at, made);
    expect(await admittedOf(at, made)).toHaveLength(14);
  });

  it('offers the bundle to each device only after its delay', async () => {
    const fleet = await aRolloutFleet(at, 20);
    const made = await create(at, fleet, { steps: itself(100), delayS: 3600 });
    // Advance once only: by the next time, the first offer may be due.
    await advanceRollout(at.world.platform, { projectId: made.projectId, rolloutId: made.id });
    expect(await admittedOf(at, made)).toHaveLength(20);
    const offered = async () =>
      (await targetsOf(at, fleet)).filter(({ bundleId }) => bundleId === fleet.next).length;
    expect(await offered()).toBe(0);
    at.world.pass(hourMs / 2);
    await look(at, made);
    expect(await offered()).toBeGreaterThan(0);
    expect(await offered()).toBeLessThan(20);
    at.world.pass(hourMs / 2);
    await look(at, made);
    expect(await offered()).toBe(20);
  });

  it('does not wait for disconnected devices, and does not count them as failures', async () => {
    const fleet = await aRolloutFleet(at, 20);
    const [away, here] = [fleet.ids.slice(0, 8), fleet.ids.slice(8)];
    await connect(at, away, false);
    const made = await create(at, fleet, { steps: itself(100), soakS: 0 });
    await look(at, made);
    await settle(at, made, here, 'updated');
    expect((await read(at, made)).counts).toMatchObject({ admitted: 20, updated: 12, waiting: 8, failed: 0 });
    await look(at, made);
    expect(await read(at, made)).toMatchObject({ state: 'finished' });
    expect((await report(at, made)).failures).toMatchObject({ results: 12, failures: 0 });
    // They have the bundle as their target, and follow when they reconnect.
    const targets = (await targetsOf(at, fleet)).filter(({ deviceId }) => away.includes(deviceId));
    expect(targets.every(({ bundleId }) => bundleId === fleet.next)).toBe(true);
  });
});

describe('a rollout that goes badly', () => {
  it('pauses, sends back devices that have not begun, and counts what was reported', async () => {
    const fleet = await aRolloutFleet(at, 40);
    const made = await create(at, fleet, { steps: itself(100) });
    await look(at, made);
    const [good, bad, unable, busy, idle] = [
      fleet.ids.slice(0, 6),
      fleet.ids.slice(6, 10),
      fleet.ids.slice(10, 12),
      fleet.ids.slice(12, 15),
      fleet.ids.slice(15),
    ];
    await settle(at, made, good, 'updated');
    await settle(at, made, bad.slice(0, 3), 'failed', { code: 'boot_failed', error: 'no heartbeat' });
    await settle(at, made, bad.slice(3), 'failed', { code: 'hash_mismatch', error: 'sha256 differs' });
    await settle(at, made, unable, 'unable', { code: 'no_space' });
    await bring(at, busy, 'installing');
    const { counts } = await read(at, made);
    expect(counts).toMatchObject({
      admitted: 40,
      updated: 6,
      failed: 4,
      unable: 2,
      active: 28,
      installing: 3,
    });
    await look(at, made);
    const paused = await read(at, made);
    expect(paused).toMatchObject({ state: 'paused', pausedBy: 'failures' });
    expect(paused.pauseCause).toBe(
      '4 of 10 updates failed (40 %), which is more than the 5 % allowed. Most often: boot_failed.',
    );
    const targets = new Map((await targetsOf(at, fleet)).map(one => [one.deviceId, one]));
    const bundlesOf = (ids: string[]) => [...new Set(ids.map(id => targets.get(id)?.bundleId))];
    expect(bundlesOf([...good, ...bad, ...busy])).toEqual([fleet.next]);
    expect(bundlesOf([...idle, ...unable])).toEqual([fleet.old]);
    expect(paused.counts).toMatchObject({ admitted: 13, updated: 6, failed: 4, active: 3 });
    const { causes, failures, events } = await report(at, made);
    expect(causes).toEqual([
      { code: 'boot_failed', failure: 'final', error: 'no heartbeat', devices: 3, counts: true },
      { code: 'hash_mismatch', failure: 'integrity', error: 'sha256 differs', devices: 1, counts: true },
    ]);
    expect(failures).toMatchObject({ results: 10, failures: 4, seen: 40, pausesAt: 3, threshold: 5 });
    expect(events[0]?.actor).toBeUndefined();
    const query = { outcome: 'failed' as const, code: 'boot_failed' };
    const listed = await at.owner.client.call(listRolloutDevices, { params: { rolloutId: made.id }, query });
    expect(listed.items.map(({ deviceId }) => deviceId).sort()).toEqual(bad.slice(0, 3));

    // A person who resumes has seen those failures: they do not pause it again.
    at.world.pass(minuteMs);
    await act(at, made, 'resume');
    await look(at, made);
    expect(await read(at, made)).toMatchObject({ state: 'running', counts: { admitted: 40 } });
  });

  it('is corrected when a lost device comes back, and when a retry begins', async () => {
    const fleet = await aRolloutFleet(at, 3);
    const made = await create(at, fleet, { steps: itself(100), gates: [] });
    await look(at, made);
    await settle(at, made, fleet.ids, 'failed', { code: 'lost' });
    await settle(at, made, fleet.ids.slice(0, 1), 'updated');
    expect((await read(at, made)).counts).toMatchObject({ updated: 1, failed: 2 });
    expect((await report(at, made)).failures).toMatchObject({ results: 3, failures: 2 });
    await settle(at, made, fleet.ids.slice(0, 1), 'left');
    expect((await read(at, made)).counts).toMatchObject({ updated: 1, left: 0 });
  });

  it('pauses when half of its devices make no progress for an hour while connected', async () => {
    const fleet = await aRolloutFleet(at, 12);
    const made = await create(at, fleet, { steps: itself(100) });
    await look(at, made);
    await bring(at, fleet.ids, 'downloading');
    await settle(at, made, fleet.ids.slice(0, 6), 'updated');
    await look(at, made);
    expect((await read(at, made)).state).toBe('running');
    at.world.pass(hourMs + minuteMs);
    await look(at, made);
    expect(await read(at, made)).toMatchObject({ state: 'paused', pausedBy: 'stalled' });
  });

  it('pauses when updated devices disappear and the others do not', async () => {
    const { made, updated, change } = await halfUpdated();
    await change(updated, { afterMs: minuteMs, connected: false });
    at.world.pass(5 * minuteMs);
    await look(at, made);
    expect((await read(at, made)).state).toBe('running');
    at.world.pass(6 * minuteMs);
    await look(at, made);
    const paused = await read(at, made);
    expect(paused).toMatchObject({ state: 'paused', pausedBy: 'presence' });
    expect(paused.pauseCause).toContain('100 % of the updated devices were disconnected ten minutes later');
  });

  it('pauses when updated devices crash and reconnect, but not when the whole channel does', async () => {
    const { made, updated, others, change } = await halfUpdated();
    const crash = async (ids: readonly string[]) => {
      await change(ids, { afterMs: minuteMs, connected: false });
      await change(ids, { afterMs: 2 * minuteMs, connected: true });
    };
    await crash(updated);
    await crash(others);
    at.world.pass(31 * minuteMs);
    await look(at, made);
    expect((await read(at, made)).state).toBe('running');
    await at.world.platform.db.run(
      sql`delete from presence_changes where device_id = any(${others}) and number > 1000`,
    );
    await look(at, made);
    const paused = await read(at, made);
    expect(paused).toMatchObject({ state: 'paused', pausedBy: 'reboots' });
    expect(paused.pauseCause).toContain('100 % of the updated devices lost their connection and came back');
  });
});

/** A rollout that has just updated half of its devices. All devices have been connected for an hour. */
async function halfUpdated() {
  const fleet = await aRolloutFleet(at, 100);
  const made = await create(at, fleet, { steps: [...itself(50), { percent: 100, startsBy: 'hand' }] });
  await look(at, made);
  const updated = await admittedOf(at, made);
  const beganMs = at.world.now().getTime();
  let number = 1000;
  const change = async (
    ids: readonly string[],
    { afterMs, connected }: { afterMs: number; connected: boolean },
  ) => {
    number += 1;
    await at.world.platform.db.run(sql`
      insert into presence_changes (project_id, device_id, at, number, connected, reason)
      select ${fleet.projectId}, id, ${new Date(beganMs + afterMs)}, ${number}, ${connected},
        ${connected ? null : 'LOST'} from unnest(${ids}::text[]) id`);
  };
  number = 0;
  await change(fleet.ids, { afterMs: -hourMs, connected: true });
  number = 1000;
  await settle(at, made, updated, 'updated');
  return { made, updated, others: fleet.ids.filter(id => !updated.includes(id)), change };
}
