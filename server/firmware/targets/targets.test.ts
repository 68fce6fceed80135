import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createChannel, editChannel } from '#contract/channel.ts';
import { editDevice } from '#contract/device.ts';
import { editDeviceClass } from '#contract/deviceClass.ts';
import {
  listDeviceUpdates,
  readDeviceFirmware,
  readDeviceTarget,
  retryDeviceUpdate,
} from '#contract/deviceFirmware.ts';
import type { TargetFrame } from '#contract/deviceProtocol.ts';
import { digestedComponents, targetProof } from '#rules/firmware/targetProof.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aBundle } from '#test/firmware.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';
import { reconcileTargets } from './reconcileTargets.ts';

const at = aGatewayWorld();

/** A device of a class whose channel `stable` points at the first of two bundles. */
async function aFollower() {
  const device = await at.device();
  const first = await aBundle(at.world, device, { main: '1.0' });
  const second = await aBundle(at.world, device, { main: '1.1' });
  const { projectId, deviceClass } = device;
  const body = { projectId, deviceClass, bundleId: first.id };
  const channel = await at.owner.client.call(createChannel, { body });
  const params = { channelId: channel.id };
  const point = (bundleId: string | null) =>
    at.owner.client.call(editChannel, { params, body: { bundleId } });
  return { device, first, second, point };
}

const firmwareOf = ({ id: deviceId }: { id: string }) =>
  at.owner.client.call(readDeviceFirmware, { params: { deviceId } });
const edit = ({ id: deviceId }: { id: string }, body: object) =>
  at.owner.client.call(editDevice, { params: { deviceId }, body });
const untilState = (device: { id: string }, state: string) =>
  until(async () => {
    const { current } = await firmwareOf(device);
    return current?.state === state ? current : undefined;
  });
const reconciled = () => reconcileTargets(at.world.platform, { projectId: '', deviceId: '' });

describe('a target', () => {
  it('reaches a device as soon as its channel has a bundle, and is done once the bundle is installed', async () => {
    const { device, first, second, point } = await aFollower();
    expect((await firmwareOf(device)).current).toMatchObject({ sequence: 1, state: 'waiting' });
    await using here = await at.connect(device);
    await here.listen('target');
    const told = (await here.next('target')).payload as TargetFrame;
    expect(told).toMatchObject({ sequence: 1, bundleId: first.id, components: [{ version: '1.0' }] });
    expect(await untilState(device, 'offered')).toMatchObject({ offeredAt: expect.any(String) });
    await here.say('progress', { state: 'downloading', sequence: 1, component: 'main', percent: 40 });
    expect((await firmwareOf(device)).current).toMatchObject({ state: 'downloading', percent: 40 });
    await here.say('progress', { state: 'done', sequence: 1 });
    expect((await firmwareOf(device)).current).toMatchObject({ state: 'confirming' });
    expect(await at.read(device)).not.toHaveProperty('bundleInstalled');
    await here.say('installed', { bundleId: first.id, sequence: 1, components: [] });
    expect((await firmwareOf(device)).current).toMatchObject({ state: 'done', bundle: first });
    expect(await at.read(device)).toMatchObject({
      bundleInstalled: first.id,
      bundleInstalledName: first.name,
    });
    await point(second.id);
    expect((await here.next('target')).payload).toMatchObject({ sequence: 2, bundleId: second.id });
    const params = { deviceId: device.id };
    const { items } = await at.owner.client.call(listDeviceUpdates, { params, query: {} });
    expect(items.map(({ sequence, bundle }) => [sequence, bundle?.name])).toEqual([
      [2, second.name],
      [1, first.name],
    ]);
    expect(items[1]).toMatchObject({ state: 'done', origin: 'channel' });
    await point(null);
    expect((await here.next('target')).payload).toBeNull();
  });

  it('is not changed by reports about the previous one', async () => {
    const { device, first, second, point } = await aFollower();
    await point(second.id);
    await using here = await at.connect(device);
    await here.listen('target');
    const before = await untilState(device, 'offered');
    await here.say('progress', { state: 'failed', sequence: 1, code: 'boot_failed' });
    await here.say('installed', { bundleId: first.id, sequence: 1, components: [] });
    expect((await firmwareOf(device)).current).toEqual(before);
    expect(await at.read(device)).not.toHaveProperty('bundleInstalled');
  });

  it('shows a progress that is too small for a percentage as none, and goes on', async () => {
    const { device } = await aFollower();
    await using here = await at.connect(device);
    await here.listen('target');
    await untilState(device, 'offered');
    for (const [said, shown] of [
      [5e-324, 0],
      [40, 40],
    ]) {
      await here.say('progress', { state: 'downloading', sequence: 1, component: 'main', percent: said });
      expect((await firmwareOf(device)).current).toMatchObject({ state: 'downloading', percent: shown });
    }
  });

  it('comes from the pin before the channel, and is a new one only if the bundle changes', async () => {
    const { device, first, second, point } = await aFollower();
    await edit(device, { bundlePinned: first.id });
    const pinned = await firmwareOf(device);
    expect(pinned.current).toMatchObject({ sequence: 1, origin: 'pin' });
    expect(pinned.why).toMatchObject({
      decidedBy: 'pin',
      pin: first,
      channel: { name: 'stable', bundle: first },
    });
    await point(second.id);
    expect((await firmwareOf(device)).current).toMatchObject({ sequence: 1, bundle: first });
    await edit(device, { bundlePinned: null });
    expect((await firmwareOf(device)).current).toMatchObject({
      sequence: 2,
      bundle: second,
      origin: 'channel',
    });
  });

  it('is done at once if the device already runs the bundle', async () => {
    const { device, first } = await aFollower();
    const given = { deviceClass: device.deviceClass, bundleInstalled: first.id };
    expect((await firmwareOf(await at.device(given))).current).toMatchObject({ state: 'done' });
  });

  it('carries a proof of the platform, whose public key anyone can read', async () => {
    const { device } = await aFollower();
    const url = `${at.world.url}/device/v1`;
    const { publicKey } = (await (await fetch(`${url}/targetKey`)).json()) as { publicKey: string };
    const authorization = `Basic ${Buffer.from(`${device.id}:${device.apiKey}`).toString('base64')}`;
    const frame = (await (
      await fetch(`${url}/target`, { headers: { authorization } })
    ).json()) as TargetFrame;
    const { proof, sequence, components } = frame;
    if (!proof) throw new Error('There is no proof.');
    const digest = createHash('sha256').update(digestedComponents(components)).digest('hex');
    const text = targetProof({ deviceId: device.id, sequence, ...proof, digest });
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(publicKey, 'base64'),
    ]);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify(null, Buffer.from(text), key, Buffer.from(proof.signature, 'base64'))).toBe(true);
    await untilState(device, 'offered');
    const params = { deviceId: device.id };
    const shown = await at.owner.client.call(readDeviceTarget, { params });
    expect(shown).toMatchObject({ sequence, components: [{ component: 'main' }] });
    expect(JSON.stringify(shown)).not.toContain('/files/');
  });
});

describe('an update that failed', () => {
  it('for good is handed out again only by a manual retry, under a new sequence', async () => {
    const { device } = await aFollower();
    const params = { deviceId: device.id };
    await failing(at.owner.client.call(retryDeviceUpdate, { params }), 'NOTHING_TO_RETRY');
    await using here = await at.connect(device);
    await here.listen('target');
    await here.next('target');
    for (let i = 0; i < 2; i++)
      await here.say('progress', {
        state: 'failed',
        sequence: 1,
        code: 'self_test_failed',
        error: 'No radio',
      });
    const { current } = await firmwareOf(device);
    expect(current).toMatchObject({ state: 'failed', failure: 'final', error: 'No radio', attempts: 1 });
    expect(current).not.toHaveProperty('retryAt');
    await at.owner.client.call(retryDeviceUpdate, { params });
    expect((await here.next('target')).payload).toMatchObject({ sequence: 2 });
    expect(await untilState(device, 'offered')).toMatchObject({ sequence: 2, attempts: 0 });
  });

  it('temporarily is handed out again when its retry is due', async () => {
    const { device } = await aFollower();
    await using here = await at.connect(device);
    await here.listen('target');
    await here.next('target');
    await here.say('progress', { state: 'failed', sequence: 1, code: 'network' });
    expect((await firmwareOf(device)).current).toMatchObject({
      failure: 'transient',
      retryAt: expect.any(String),
    });
    const { db } = at.world.platform;
    await db.run(
      sql`update device_targets set retry_at = now() - interval '1 h' where device_id = ${device.id}`,
    );
    await reconciled();
    expect((await here.next('target')).payload).toMatchObject({ sequence: 1 });
  });

  it('for good is not offered again by a later target with the same bundle', async () => {
    const { device, first, second, point } = await aFollower();
    await using here = await at.connect(device);
    await here.say('progress', { state: 'failed', sequence: 1, code: 'boot_failed' });
    await point(second.id);
    await point(first.id);
    expect((await firmwareOf(device)).current).toMatchObject({
      sequence: 3,
      state: 'failed',
      code: 'boot_failed',
    });
    await here.listen('target');
    expect((await here.next('target')).payload).toBeNull();
  });

  it('for a corrupt download has the rest of its tries when the target comes back, and no more', async () => {
    const { device, first, second, point } = await aFollower();
    await using here = await at.connect(device);
    const current = async () => (await firmwareOf(device)).current;
    const corrupt = async () => {
      const sequence = (await current())?.sequence ?? 0;
      await here.say('progress', { state: 'verifying', sequence });
      await here.say('progress', { state: 'failed', sequence, code: 'hash_mismatch' });
    };
    const away = async () => {
      await point(second.id);
      await point(first.id);
    };
    await corrupt();
    await away();
    expect(await current()).toMatchObject({ sequence: 3, state: 'waiting', attempts: 1 });
    await corrupt();
    await away();
    expect(await current()).toMatchObject({ sequence: 5, state: 'waiting', attempts: 2 });
    await corrupt();
    await away();
    expect(await current()).toMatchObject({
      sequence: 7,
      state: 'failed',
      code: 'hash_mismatch',
      attempts: 3,
    });
  });

  it('for lack of a confirmation is lost, and is done once the device confirms', async () => {
    const { device, first } = await aFollower();
    await using here = await at.connect(device);
    await here.say('progress', { state: 'rebooting', sequence: 1 });
    await at.world.platform.db.run(
      sql`update device_targets set connected_ms = 900000 where device_id = ${device.id}`,
    );
    await reconciled();
    expect((await firmwareOf(device)).current).toMatchObject({
      state: 'lost',
      failure: 'final',
      code: 'lost',
    });
    await here.say('installed', { bundleId: first.id, sequence: 1, components: [] });
    const { current } = await firmwareOf(device);
    expect(current).toMatchObject({ state: 'done' });
    expect(current).not.toHaveProperty('code');
  });
});

it('a device is lost after the time limit of its own class', async () => {
  const [short, usual] = [await aFollower(), await aFollower()];
  const { projectId, deviceClass } = short.device;
  const named = { params: { classId: deviceClass }, query: { projectId } };
  await at.owner.client.call(editDeviceClass, { ...named, body: { rebootMinutes: 5 } });
  for (const { device } of [short, usual]) {
    await using here = await at.connect(device);
    await here.say('progress', { state: 'rebooting', sequence: 1 });
  }
  const ids = [short.device.id, usual.device.id];
  await at.world.platform.db.run(
    sql`update device_targets set connected_ms = 300000 where device_id = any(${ids})`,
  );
  await reconciled();
  expect((await firmwareOf(short.device)).current).toMatchObject({ state: 'lost', code: 'lost' });
  expect((await firmwareOf(usual.device)).current).toMatchObject({ state: 'rebooting' });
});

it('a change made without recomputing targets is found within a minute', async () => {
  const { device, second } = await aFollower();
  await using here = await at.connect(device);
  await here.listen('target');
  await here.next('target');
  await at.world.platform.db.run(
    sql`update channels set bundle_id = ${second.id} where project_id = ${at.projectId} and device_class = ${device.deviceClass}`,
  );
  await reconciled();
  expect((await here.next('target')).payload).toMatchObject({ sequence: 2, bundleId: second.id });
});
