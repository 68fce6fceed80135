import { describe, expect, it } from 'vitest';
import { deleteBundle } from '#contract/bundle.ts';
import { editChannel } from '#contract/channel.ts';
import { retryDeviceUpdate } from '#contract/deviceFirmware.ts';
import { listFindings } from '#contract/finding.ts';
import { readLogEntries } from '#contract/log.ts';
import { actOnRollout, listRollouts } from '#contract/rollout.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import {
  act,
  admittedOf,
  aRolloutFleet,
  bring,
  create,
  look,
  read,
  report,
  settle,
  targetsOf,
} from '#test/rollouts.ts';
import { advanceRollout } from './advanceRollout.ts';
import { storeCounts } from './counts.ts';

// Without workers: these tests advance the rollouts themselves.
const at = aProjectWorld({ ROLES: 'api' });
const itself = (...percents: number[]) => percents.map(percent => ({ percent, startsBy: 'itself' as const }));

describe('a rollout', () => {
  it('that is paused sends back devices that have not begun to install, and admits them once resumed', async () => {
    const fleet = await aRolloutFleet(at, 10);
    const made = await create(at, fleet, { steps: itself(100) });
    await look(at, made);
    const before = await targetsOf(at, fleet);
    await bring(at, fleet.ids.slice(0, 2), 'rebooting');
    const paused = await act(at, made, 'pause', 'Lunch');
    expect(paused.counts).toMatchObject({ admitted: 2, rebooting: 2 });
    const sentBack = await targetsOf(at, fleet);
    expect(sentBack.filter(({ bundleId }) => bundleId === fleet.next)).toHaveLength(2);
    for (const [place, one] of sentBack.entries())
      expect(one.sequence - (before[place]?.sequence ?? 0)).toBe(one.bundleId === fleet.old ? 1 : 0);
    await look(at, made);
    expect(await targetsOf(at, fleet)).toEqual(sentBack);
    await settle(at, made, fleet.ids.slice(0, 1), 'updated');
    await look(at, made);
    expect((await report(at, made)).progress.at(-1)).toMatchObject({ admitted: 2, updated: 1, active: 1 });
    await act(at, made, 'resume');
    await look(at, made);
    expect((await targetsOf(at, fleet)).every(({ bundleId }) => bundleId === fleet.next)).toBe(true);
  });

  it('that is stopped leaves updated devices as they are until the channel moves on', async () => {
    const fleet = await aRolloutFleet(at, 6);
    const made = await create(at, fleet, { steps: itself(100) });
    await look(at, made);
    await settle(at, made, fleet.ids.slice(0, 2), 'updated');
    await settle(at, made, fleet.ids.slice(2, 3), 'failed', { code: 'boot_failed' });
    const stopped = await act(at, made, 'stop');
    expect(stopped).toMatchObject({ state: 'stopped', counts: { admitted: 3, updated: 2, failed: 1 } });
    const bundles = async () => (await targetsOf(at, fleet)).map(({ bundleId }) => bundleId);
    expect(await bundles()).toEqual([fleet.next, fleet.next, ...Array(4).fill(fleet.old)]);
    const params = { channelId: fleet.channel.id };
    await at.owner.client.call(editChannel, { params, body: { bundleId: fleet.other } });
    expect(await bundles()).toEqual(Array(6).fill(fleet.other));
  });

  it('keeps its channel from being pointed elsewhere, unless that ends the rollout', async () => {
    const fleet = await aRolloutFleet(at, 4);
    const made = await create(at, fleet, { steps: itself(100) });
    await look(at, made);
    const params = { channelId: fleet.channel.id };
    const edit = (more: object) =>
      at.owner.client.call(editChannel, { params, body: { bundleId: fleet.other, ...more } });
    await failing(edit({}), 'ROLLOUT_RUNNING');
    await edit({ endRollout: true });
    expect((await read(at, made)).state).toBe('superseded');
    expect((await targetsOf(at, fleet)).every(({ bundleId }) => bundleId === fleet.other)).toBe(true);
  });

  it('that is over lets its bundle be deleted, and keeps the name of the bundle', async () => {
    const fleet = await aRolloutFleet(at, 4);
    const made = await create(at, fleet, { steps: itself(100) });
    await look(at, made);
    const remove = () => at.owner.client.call(deleteBundle, { params: { bundleId: fleet.next } });
    const { context } = await failing(remove(), 'DEPENDENCY_RESTRICTION');
    expect(context).toMatchObject({ rollouts: [{ id: made.id, state: 'running' }] });
    await bring(at, fleet.ids.slice(0, 1), 'installing');
    await act(at, made, 'stop');
    const onItsWay = await failing(remove(), 'DEPENDENCY_RESTRICTION');
    expect(onItsWay.context).toMatchObject({ rollouts: [], updatingCount: 1 });
    await settle(at, made, fleet.ids.slice(0, 1), 'failed', { code: 'boot_failed' });
    await look(at, made);
    const { name } = made.bundle;
    await remove();
    expect(await read(at, made)).toMatchObject({ state: 'stopped', bundle: { name, isDeleted: true } });
    await failing(act(at, made, 'rollBack'), 'ROLLOUT_STATE');
  });

  it('that rolls another back includes exactly the devices that run its bundle', async () => {
    const fleet = await aRolloutFleet(at, 8);
    const made = await create(at, fleet, { steps: itself(100) });
    await look(at, made);
    const updated = fleet.ids.slice(0, 3);
    await settle(at, made, updated, 'updated');
    const back = await act(at, made, 'rollBack', 'Too hot');
    expect(back).toMatchObject({
      state: 'running',
      rollsBack: made.id,
      bundle: { id: fleet.old },
      fromBundle: { id: fleet.next },
    });
    expect(await read(at, made)).toMatchObject({ state: 'stopped' });
    await look(at, back);
    expect(await admittedOf(at, back)).toEqual(updated);
    expect((await targetsOf(at, fleet)).every(({ bundleId }) => bundleId === fleet.old)).toBe(true);
    await settle(at, back, updated, 'updated');
    await look(at, back);
    expect(await read(at, back)).toMatchObject({ state: 'finished' });
  });
});

it('a rollout needs attention while it is paused, or waits for a person, and not while it goes on', async () => {
  const fleet = await aRolloutFleet(at, 10);
  const findings = async () => {
    const all = await at.owner.client.call(listFindings, { params: { projectId: fleet.projectId } });
    return all.flatMap(({ rollout, causes }) => (rollout ? [[rollout, causes[0]?.text]] : []));
  };
  const made = await create(at, fleet, {
    steps: [...itself(50), { percent: 100, startsBy: 'hand' }],
    soakS: 0,
  });
  await look(at, made);
  const rollout = {
    id: made.id,
    channelId: fleet.channel.id,
    bundle: 'Bundle 2',
    channel: 'stable',
    step: 0,
    stepCount: 2,
  };
  expect(await findings()).toEqual([]);
  await act(at, made, 'pause', 'Too hot');
  const { name } = at.owner.developer;
  expect(await findings()).toEqual([
    [
      { ...rollout, isPaused: true, pausedBy: name, cause: 'Too hot' },
      `Bundle 2 to stable: paused by ${name}, “Too hot”`,
    ],
  ]);
  const now = at.world.now().getTime();
  const [entry] = await at.owner.client.call(readLogEntries, {
    params: { projectId: fleet.projectId },
    query: {
      begin: new Date(now - hourMs).toISOString(),
      end: new Date(now + hourMs).toISOString(),
      action: actOnRollout.name,
      maxEntries: 1,
    },
  });
  expect(entry?.text).toBe('Rollout of Bundle 2 to channel stable paused');
  await act(at, made, 'resume');
  expect(await findings()).toEqual([]);
  await look(at, made);
  await settle(at, made, await admittedOf(at, made), 'updated');
  await look(at, made);
  expect(await findings()).toEqual([
    [{ ...rollout, isPaused: false }, 'Bundle 2 to stable: step 1 of 2 has settled, step 2 takes 100 %'],
  ]);
  await act(at, made, 'nextStep');
  expect(await findings()).toEqual([]);
  await look(at, made);
  await settle(at, made, fleet.ids.slice(5), 'failed', { code: 'boot_failed' });
  await look(at, made);
  const text = expect.stringMatching(/^Bundle 2 to stable: \d of \d+ updates failed/);
  expect(await findings()).toEqual([
    [{ ...rollout, step: 1, isPaused: true, cause: expect.any(String) }, text],
  ]);
  await act(at, made, 'stop');
  expect(await findings()).toEqual([]);
});

it('retryFailed makes failed devices try again, and takes back their results', async () => {
  const fleet = await aRolloutFleet(at, 6);
  const made = await create(at, fleet, { steps: itself(100), gates: [] });
  await look(at, made);
  await settle(at, made, fleet.ids.slice(0, 4), 'failed', { code: 'boot_failed' });
  await settle(at, made, fleet.ids.slice(4, 5), 'updated');
  const retried = await act(at, made, 'retryFailed', 'New cable');
  expect(retried.counts).toMatchObject({ admitted: 6, failed: 0, updated: 1, active: 5 });
  const states = (await targetsOf(at, fleet)).map(({ state }) => state);
  expect(states).toEqual([...Array(4).fill('waiting'), 'done', 'waiting']);
  expect((await report(at, made)).events[0]?.text).toBe('4 devices told to try again: New cable');
});

it('a device that is told to try again by itself takes its result back', async () => {
  const fleet = await aRolloutFleet(at, 4);
  const made = await create(at, fleet, { steps: itself(100), gates: [] });
  await look(at, made);
  await settle(at, made, fleet.ids.slice(0, 2), 'failed', { code: 'boot_failed' });
  const [deviceId = ''] = fleet.ids;
  await at.owner.client.call(retryDeviceUpdate, { params: { deviceId } });
  expect((await read(at, made)).counts).toMatchObject({ admitted: 4, failed: 1, active: 3 });
});

it('lists show the figures of a stopped rollout that its detail shows, also when devices finish later', async () => {
  const fleet = await aRolloutFleet(at, 4);
  const made = await create(at, fleet, { steps: itself(100), gates: [] });
  await look(at, made);
  await settle(at, made, fleet.ids.slice(0, 2), 'updated');
  await bring(at, fleet.ids.slice(2), 'installing');
  await act(at, made, 'stop');
  const shown = async () => {
    const query = { projectId: fleet.projectId };
    const { items } = await at.owner.client.call(listRollouts, { query });
    return [items.find(({ id }) => id === made.id)?.counts, (await read(at, made)).counts];
  };
  const both = (counts: object) => [expect.objectContaining(counts), expect.objectContaining(counts)];
  await storeCounts(at.world.platform);
  expect(await shown()).toEqual(both({ updated: 2, installing: 2 }));
  await settle(at, made, fleet.ids.slice(2), 'updated');
  expect(await shown()).toEqual(both({ updated: 4, installing: 0 }));
  await storeCounts(at.world.platform);
  await settle(at, made, fleet.ids.slice(0, 1), 'failed', { code: 'rolled_back' });
  expect(await shown()).toEqual(both({ updated: 3, failed: 1 }));
});

describe('advancing a rollout', () => {
  it('changes nothing if it is killed, and the next time does all of it', async () => {
    const fleet = await aRolloutFleet(at, 10);
    const made = await create(at, fleet, { steps: itself(100) });
    const { db } = at.world.platform;
    await db.run(sql`
      create function fail() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`);
    await db.run(
      sql`create trigger fail before insert on rollout_progress for each row execute function fail()`,
    );
    const before = [await read(at, made), await targetsOf(at, fleet), await admittedOf(at, made)];
    await expect(look(at, made)).rejects.toThrow('killed');
    await db.run(sql`drop trigger fail on rollout_progress`);
    expect([await read(at, made), await targetsOf(at, fleet), await admittedOf(at, made)]).toEqual(before);
    await look(at, made);
    expect((await read(at, made)).counts).toMatchObject({ admitted: 10, active: 10 });
  });

  it('several times at once has the same effect as once', async () => {
    const fleet = await aRolloutFleet(at, 30);
    const made = await create(at, fleet, { steps: itself(100), rate: 10 });
    const key = { projectId: made.projectId, rolloutId: made.id };
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 4 }, () => advanceRollout(at.world.platform, key)));
    expect(await admittedOf(at, made)).toHaveLength(10);
    const targets = (await targetsOf(at, fleet)).filter(({ bundleId }) => bundleId === fleet.next);
    expect(targets).toHaveLength(10);
    const { events, progress } = await report(at, made);
    expect(events.map(({ kind }) => kind)).toEqual(['started', 'created']);
    expect(progress).toHaveLength(1);
  });

  it('counts a pinned device as left, and admits it again once it is unpinned', async () => {
    const fleet = await aRolloutFleet(at, 4);
    const [pinned = ''] = fleet.ids;
    const made = await create(at, fleet, { steps: itself(100) });
    await look(at, made);
    const { db } = at.world.platform;
    const { retarget } = await import('#server/firmware/targets/retarget.ts');
    const pin = async (bundleId: string | null) => {
      await db.run(sql`update devices set bundle_pinned = ${bundleId} where id = ${pinned}`);
      await db.tx(tx => retarget(tx, { projectId: fleet.projectId, deviceIds: [pinned] }, at.world.now()));
    };
    await pin(fleet.other);
    await look(at, made);
    expect((await read(at, made)).counts).toMatchObject({ admitted: 4, left: 1, active: 3 });
    await pin(null);
    await look(at, made);
    expect((await read(at, made)).counts).toMatchObject({ admitted: 4, left: 0, active: 4 });
    const target = (await targetsOf(at, fleet)).find(({ deviceId }) => deviceId === pinned);
    expect(target).toMatchObject({ bundleId: fleet.next, rolloutId: made.id });
  });
});
