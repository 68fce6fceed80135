import { describe, expect, it } from 'vitest';
import { listBundleNames, readBundleUse } from '#contract/bundle.ts';
import { editChannel, listChannelNames, readChannel } from '#contract/channel.ts';
import { listChannelRuns, listOffTarget, readChannelFirmware } from '#contract/channelFirmware.ts';
import { editDevice } from '#contract/device.ts';
import { retryDeviceUpdate } from '#contract/deviceFirmware.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aClass } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aBundle, someChannels } from '#test/firmware.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import {
  act,
  admittedOf,
  aRolloutFleet,
  connect,
  create,
  type Fleet,
  look,
  read,
  settle,
} from '#test/rollouts.ts';

// Without workers: these tests advance the rollouts themselves.
const at = aProjectWorld({ ROLES: 'api' });
const itself = (...percents: number[]) => percents.map(percent => ({ percent, startsBy: 'itself' as const }));

const firmware = ({ channel }: Fleet) =>
  at.owner.client.call(readChannelFirmware, { params: { channelId: channel.id } });
const offTarget = ({ channel }: Fleet) =>
  at.owner.client.call(listOffTarget, { params: { channelId: channel.id }, query: {} });
const runs = ({ channel }: Fleet) =>
  at.owner.client.call(listChannelRuns, { params: { channelId: channel.id }, query: {} });
const point = ({ channel }: Fleet, bundleId: string | null) =>
  at.owner.client.call(editChannel, { params: { channelId: channel.id }, body: { bundleId } });
const sumOf = (devices: Record<string, number>) =>
  Object.values(devices).reduce((total, count) => total + count, 0);
const neverSeen = (ids: readonly string[]) =>
  at.world.platform.db.run(sql`
    update device_presence set seen_at = null, since = null where device_id = any(${ids})`);

/** What a device reports as installed, without its reports. */
const reports = (id: string, { bundleId, version }: { bundleId: string | null; version: string }) =>
  at.world.platform.db.tx(async db => {
    await db.run(sql`update devices set bundle_installed = ${bundleId} where id = ${id}`);
    await db.run(sql`
      insert into device_states (project_id, device_id, installed, installed_at)
      select project_id, id, ${JSON.stringify({ components: [{ component: 'main', version }] })}, now() from devices
      where id = ${id}
      on conflict (project_id, device_id) do update set installed = excluded.installed, installed_at = now()`);
  });

describe('the devices of a channel', () => {
  it('are each counted once, whatever happens to them', async () => {
    const fleet = await aRolloutFleet(at, 40);
    await neverSeen(fleet.ids.slice(0, 4));
    const calm = await firmware(fleet);
    expect(calm).toMatchObject({ total: 40, devices: { updated: 40 }, onCurrent: 40, offTarget: 0 });

    const { db } = at.world.platform;
    await db.run(sql`update devices set bundle_installed = null where id = any(${fleet.ids.slice(0, 4)})`);
    await db.run(sql`update devices set suspended = true where id = ${fleet.ids[4]}`);
    const made = await create(at, fleet, { steps: itself(30, 60, 100), soakS: 3600 });
    await look(at, made);
    const admitted = (await admittedOf(at, made)).filter(id => !fleet.ids.slice(0, 4).includes(id));
    const [good, bad, away] = [admitted.slice(0, 2), admitted.slice(2, 4), admitted.slice(4, 5)];
    await settle(at, made, good, 'updated');
    await settle(at, made, bad, 'failed', { code: 'boot_failed', failure: 'final' });
    await connect(at, away, false);
    const { total, devices, onCurrent } = await firmware(fleet);
    expect(total).toBe(40);
    expect(sumOf(devices)).toBe(40);
    expect(devices).toMatchObject({
      updated: 2,
      failed: 2,
      waiting: 1,
      updating: admitted.length - 5,
      neverConnected: 4,
      leftOut: 1,
      other: 0,
      thisStep: 0,
    });
    expect(devices.nextStep + devices.laterSteps).toBe(40 - admitted.length - 4 - 1);
    expect(onCurrent).toBe(34);
  });

  it('that a rollback does not include are in none of its steps, also if what they run is in no bundle', async () => {
    const fleet = await aRolloutFleet(at, 8);
    const made = await create(at, fleet, { steps: itself(50, 100), soakS: 3600 });
    await look(at, made);
    const admitted = await admittedOf(at, made);
    await settle(at, made, admitted, 'updated');
    const [flashed = ''] = fleet.ids.filter(id => !admitted.includes(id));
    await reports(flashed, { bundleId: null, version: '3.2.0-rc.2' });
    const back = await act(at, made, 'rollBack');
    await look(at, back);
    const { devices } = await firmware(fleet);
    expect(devices).toMatchObject({ updating: admitted.length, leftOut: 1, thisStep: 0, nextStep: 0 });
    expect(sumOf(devices)).toBe(8);
  });

  it('that are off target have the reason each, and those that failed come first', async () => {
    const fleet = await aRolloutFleet(at, 6);
    const [failed = '', pinned = '', away = '', flashed = '', silent = '', good = ''] = fleet.ids;
    const { db } = at.world.platform;
    await point(fleet, fleet.next);
    await reports(good, { bundleId: fleet.next, version: '2' });
    const pin = { params: { deviceId: pinned }, body: { bundlePinned: fleet.other } };
    await at.owner.client.call(editDevice, pin);
    await reports(flashed, { bundleId: null, version: '3.2.0-rc.2' });
    await db.run(sql`update device_targets set state = 'done' where device_id = any(${[flashed, silent]})`);
    await db.run(sql`
      update device_targets set state = 'failed', failure = 'final', code = 'boot_failed', attempts = 2, state_at = now()
      where device_id = ${failed}`);
    await connect(at, [away], false);
    const { items, total } = await offTarget(fleet);
    expect(total).toBe(5);
    expect(items.map(({ deviceId, reason }) => [deviceId, reason])).toEqual([
      [failed, 'failed'],
      [flashed, 'unlisted'],
      [pinned, 'pinned'],
      [silent, 'unknown'],
      [away, 'disconnected'],
    ]);
    expect(items[0]).toMatchObject({
      code: 'boot_failed',
      attempts: 2,
      runs: { id: fleet.old },
      since: expect.any(String),
    });
    expect(items[1]).toMatchObject({ components: [{ component: 'main', version: '3.2.0-rc.2' }] });
    expect(items[1]).not.toHaveProperty('runs');
    expect(items[2]).toMatchObject({ pin: { id: fleet.other } });
    expect(items[4]).toMatchObject({ since: expect.any(String) });
    const { offTarget: counted, devices } = await firmware(fleet);
    expect({ counted, devices }).toMatchObject({ counted: 5, devices: { updated: 1, other: 5 } });

    await at.owner.client.call(retryDeviceUpdate, { params: { deviceId: flashed } });
    expect((await offTarget(fleet)).items.map(({ deviceId }) => deviceId)).not.toContain(flashed);
  });

  it('are told apart by their projects, and named only with what could come next', async () => {
    const fleet = await aRolloutFleet(at, 1);
    const { next } = await firmware(fleet);
    expect(next.map(({ id }) => id)).toEqual([fleet.other, fleet.next]);
    await point(fleet, fleet.other);
    expect((await firmware(fleet)).next).toEqual([]);
    const { projectId, channel } = fleet;
    at.world.pass(minuteMs);
    const newest = await aBundle(at.world, { projectId, deviceClass: channel.deviceClass }, { main: '4.0' });
    expect((await firmware(fleet)).next).toMatchObject([
      {
        id: newest.id,
        contents: [{ componentName: 'main', versionName: '4.0' }],
        channels: [],
        deviceCount: 0,
      },
    ]);
  });
});

describe('what a channel ran', () => {
  it('has edits and rollouts with their failures, newest first, and how long each was current', async () => {
    const fleet = await aRolloutFleet(at, 20);
    at.world.pass(hourMs);
    const stopped = await create(at, fleet, { steps: itself(50, 100) });
    await look(at, stopped);
    const [first = ''] = await admittedOf(at, stopped);
    await settle(at, stopped, [first], 'failed', { code: 'boot_failed', failure: 'final' });
    at.world.pass(hourMs);
    await act(at, stopped, 'stop');
    at.world.pass(hourMs);
    await point(fleet, fleet.other);
    at.world.pass(hourMs);
    const finished = await create(at, fleet, { steps: itself(100), soakS: 0 });
    await look(at, finished);
    await settle(at, finished, fleet.ids, 'updated');
    await look(at, finished);
    const { items } = await runs(fleet);
    expect(
      items.map(({ bundle, rollout, until }) => [bundle?.id, rollout?.state, until === undefined]),
    ).toEqual([
      [fleet.next, 'finished', true],
      [fleet.other, undefined, false],
      [fleet.next, 'superseded', true],
      [fleet.old, undefined, false],
    ]);
    expect(items[0]).toMatchObject({
      rollout: { counts: { updated: 20, failed: 0 }, wasPausedByGate: false },
    });
    expect(items[1]).toMatchObject({ until: items[0]?.from, by: { id: at.owner.developer.id } });
    expect(items[2]).toMatchObject({ rollout: { counts: { failed: 1 }, isRolledBack: false } });
    expect(items[2]).not.toHaveProperty('from');
  });
});

describe('a rollout whose next step is started by hand', () => {
  it('says from when on it waits, and who paused it', async () => {
    const fleet = await aRolloutFleet(at, 20);
    const steps = [...itself(50), { percent: 100, startsBy: 'hand' as const }];
    const made = await create(at, fleet, { steps, soakS: 3600 });
    await look(at, made);
    expect(await read(at, made)).not.toHaveProperty('waitsFrom');
    await settle(at, made, await admittedOf(at, made), 'updated');
    await look(at, made);
    const { settledAt = '', waitsFrom = '' } = await read(at, made);
    expect(Date.parse(waitsFrom) - Date.parse(settledAt)).toBe(hourMs);
    const { id, name } = at.owner.developer;
    expect(await act(at, made, 'pause')).toMatchObject({ pausedBy: 'person', pauser: { id, name } });
    expect(await read(at, made)).not.toHaveProperty('waitsFrom');
  });
});

describe('failures', () => {
  it('are counted where one acts: on the channel and on the bundle, by cause', async () => {
    const fleet = await aRolloutFleet(at, 6);
    await point(fleet, fleet.next);
    const { db } = at.world.platform;
    const fail = (id: string | undefined, code: string) =>
      db.run(sql`update device_targets set state = 'failed', code = ${code} where device_id = ${id}`);
    await fail(fleet.ids[0], 'boot_failed');
    await fail(fleet.ids[1], 'boot_failed');
    await fail(fleet.ids[2], 'no_space');
    const params = { channelId: fleet.channel.id };
    expect(await at.owner.client.call(readChannel, { params })).toMatchObject({ failedCount: 3 });
    const use = await at.owner.client.call(readBundleUse, { params: { bundleId: fleet.next } });
    expect(use.failures).toEqual([
      { code: 'boot_failed', devices: 2 },
      { code: 'no_space', devices: 1 },
    ]);
  });
});

describe('names as choices', () => {
  it('are all of the project, newest bundles first, and can be narrowed to a class', async () => {
    const fleet = await aRolloutFleet(at, 3);
    const { projectId, channel } = fleet;
    const { id: other } = await aClass(at.owner, projectId);
    await someChannels(at.world, { projectId, deviceClass: other }, 'beta');
    const bundles = await at.owner.client.call(listBundleNames, { query: { projectId } });
    expect(bundles.map(({ id, deviceCount }) => [id, deviceCount])).toEqual([
      [fleet.other, 0],
      [fleet.next, 0],
      [fleet.old, 3],
    ]);
    const channels = (deviceClass?: string) =>
      at.owner.client.call(listChannelNames, { query: { projectId, ...(deviceClass && { deviceClass }) } });
    expect((await channels()).map(({ name }) => name)).toEqual(['beta', 'stable']);
    expect(await channels(channel.deviceClass)).toEqual([
      { id: channel.id, name: 'stable', deviceClass: channel.deviceClass },
    ]);
  });

  it('are for members only', async () => {
    const fleet = await aRolloutFleet(at, 1);
    const stranger = await at.world.aDeveloper();
    const query = { projectId: fleet.projectId };
    await failing(stranger.client.call(listBundleNames, { query }), 'NOT_A_MEMBER');
    await failing(stranger.client.call(listChannelNames, { query }), 'NOT_A_MEMBER');
  });
});
