import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createChannel } from '#contract/channel.ts';
import { deleteComponentVersion } from '#contract/componentVersion.ts';
import { editDeviceClass } from '#contract/deviceClass.ts';
import { readDeviceFirmware, readDeviceTarget } from '#contract/deviceFirmware.ts';
import type { TargetFrame } from '#contract/deviceProtocol.ts';
import { digestedComponents } from '#rules/firmware/targetProof.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';
import { download } from '#test/uploads.ts';
import { aBundle, aComponent, aReadyVersion } from '#test/versions.ts';

const at = aGatewayWorld();

/** Random, so that only the old file as dictionary can reduce the size. */
const oldFile = randomBytes(300_000);
const newFile = Buffer.concat([oldFile.subarray(0, 100_000), randomBytes(2_000), oldFile.subarray(100_500)]);

interface Given {
  sendsDeltas?: boolean;
  content?: Buffer;
}

/** A class whose devices run the old file, and the version to roll out to them. */
async function aClassThatUpdates({ sendsDeltas = true, content = newFile }: Given = {}) {
  const { id: deviceClass } = await at.deviceClass();
  const { projectId } = at;
  const named = { params: { classId: deviceClass }, query: { projectId } };
  await at.owner.client.call(editDeviceClass, { ...named, body: { sendsDeltas } });
  const component = await aComponent(at.owner, projectId);
  const version = (content: Buffer) =>
    aReadyVersion(at.world, at.owner, projectId, { content, componentId: component.id });
  const [old, next] = [await version(oldFile), await version(content)];
  const bundle = (id: string) =>
    aBundle(at.world, at.owner, projectId, { deviceClass, componentVersionIds: [id] });
  const installed = await bundle(old.id);
  const device = async () => {
    const made = await at.device({ deviceClass });
    const here = await at.connect(made);
    const sha256 = (old.checksum ?? '').toUpperCase();
    const components = [{ component: component.name, version: old.name, sha256 }];
    await here.say('installed', { bundleId: installed.id, components });
    return { ...made, here, [Symbol.asyncDispose]: () => here[Symbol.asyncDispose]() };
  };
  const point = async () => {
    const { id: bundleId } = await bundle(next.id);
    await at.owner.client.call(createChannel, { body: { projectId, deviceClass, bundleId } });
  };
  return { deviceClass, component, old, next, bundle, device, point };
}

const delta = (versionId: string) =>
  until(async () => {
    const row = await at.world.platform.db.one<{ state: string; place: string | null }>(
      sql`select state, place from firmware_deltas where version_id = ${versionId} and state <> 'wanted'`,
    );
    return row;
  });
const firmware = (deviceId: string) => at.owner.client.call(readDeviceFirmware, { params: { deviceId } });
const targetOf = async (here: { next(topic: string): Promise<{ payload: unknown }> }) =>
  (await here.next('target')).payload as TargetFrame;

/** Applies a delta as the protocol describes, with Debian's `zstd`, or with Node if it is not installed. */
async function patched(old: Buffer, patch: Buffer): Promise<Buffer> {
  if (spawnSync('zstd', ['--version']).error) return zstdDecompressSync(patch, { dictionary: old } as object);
  const folder = await mkdtemp(join(tmpdir(), 'delta-'));
  const path = (name: string) => join(folder, name);
  try {
    writeFileSync(path('old'), old);
    writeFileSync(path('patch'), patch);
    execFileSync('zstd', ['-dq', `--patch-from=${path('old')}`, path('patch'), '-o', path('new')]);
    return readFileSync(path('new'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a delta', () => {
  it('is offered to a device that reports the old file, restores the new one, and is covered by the proof', async () => {
    const { old, next, device, point } = await aClassThatUpdates();
    await using one = await device();
    await point();
    expect(await delta(next.id)).toMatchObject({ state: 'ready' });
    await one.here.listen('target');
    const { components, proof } = await targetOf(one.here);
    const [found] = components;
    expect(found).toMatchObject({ sha256: next.checksum, size: newFile.length });
    expect(found?.delta).toMatchObject({ format: 'zstd-patch', from: old.checksum });
    expect(found?.delta?.size).toBeLessThan(4_000);
    const bytes = await download(found?.delta?.url ?? '');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(found?.delta?.sha256);
    expect((await patched(oldFile, bytes)).equals(newFile)).toBe(true);
    const digest = (of: TargetFrame['components']) =>
      createHash('sha256').update(digestedComponents(of)).digest('hex');
    expect(proof?.digest).toBe(digest(components));
    expect(proof?.digest).not.toBe(digest(components.map(({ delta: _, ...whole }) => whole)));
    const current = await until(async () => {
      const { current } = await firmware(one.id);
      return current?.deltaBytes !== undefined && current.bytes > 0 ? current : undefined;
    });
    expect(current).toMatchObject({ deltaBytes: found?.delta?.size, bytes: bytes.length });
    const shown = await at.owner.client.call(readDeviceTarget, { params: { deviceId: one.id } });
    expect(shown?.components[0]?.delta).toEqual({ ...found?.delta, url: undefined });
  });

  it('is not offered to a device with another file, or after a wrong result', async () => {
    const { component, old, next, device, point } = await aClassThatUpdates();
    await using one = await device();
    await using other = await device();
    const unknown = { component: component.name, version: old.name, sha256: '0'.repeat(64) };
    await other.here.say('installed', { components: [unknown] });
    await point();
    await delta(next.id);
    await one.here.listen('target');
    const { sequence, components } = await targetOf(one.here);
    expect(components[0]).toHaveProperty('delta');
    await one.here.say('progress', { state: 'failed', sequence, code: 'hash_mismatch' });
    for (const { id } of [one, other]) {
      const shown = await at.owner.client.call(readDeviceTarget, { params: { deviceId: id } });
      expect(shown?.components).toHaveLength(1);
      expect(shown?.components[0]).not.toHaveProperty('delta');
    }
  });

  it('is sent as soon as it is ready to a device that was offered the whole file', async () => {
    const { deviceClass, component, old, point } = await aClassThatUpdates();
    const made = await at.device({ deviceClass });
    await point();
    await using here = await at.connect(made);
    await here.listen('target');
    expect((await targetOf(here)).components[0]).not.toHaveProperty('delta');
    const runs = { component: component.name, version: old.name, sha256: old.checksum };
    await here.say('installed', { components: [runs] });
    expect((await targetOf(here)).components[0]).toHaveProperty('delta');
  });

  it('delays the target of a connected device until it is ready', async () => {
    const { device, point } = await aClassThatUpdates();
    await using one = await device();
    await one.here.listen('target');
    expect(await targetOf(one.here)).toBeNull();
    await point();
    expect((await targetOf(one.here)).components[0]).toHaveProperty('delta');
  });

  it('is created from the files that devices run, before the first device gets a new bundle', async () => {
    const { next, device, bundle } = await aClassThatUpdates();
    await using _ = await device();
    await bundle(next.id);
    expect(await delta(next.id)).toMatchObject({ state: 'ready' });
  });

  it('is not created if it saves too little, or if the class does not send deltas', async () => {
    const useless = await aClassThatUpdates({ content: randomBytes(300_000) });
    const off = await aClassThatUpdates({ sendsDeltas: false });
    for (const { device, point } of [useless, off]) {
      await using one = await device();
      await point();
      await one.here.listen('target');
      expect((await targetOf(one.here)).components[0]).not.toHaveProperty('delta');
    }
    expect(await delta(useless.next.id)).toEqual({ state: 'useless', place: null });
    const { db } = at.world.platform;
    expect(await db.many(sql`select 1 from firmware_deltas where version_id = ${off.next.id}`)).toEqual([]);
  });

  it('is deleted with its version', async () => {
    const { next } = await aClassThatUpdates();
    const place = at.world.platform.newId('fil');
    const { db } = at.world.platform;
    await db.run(sql`
      insert into firmware_deltas (project_id, version_id, from_sha256, state, place, size_bytes, sha256, created_at)
      values (${at.projectId}, ${next.id}, ${'1'.repeat(64)}, 'ready', ${place}, 1, '', now())`);
    await at.owner.client.call(deleteComponentVersion, { params: { versionId: next.id } });
    expect(await db.one(sql`select 1 as found from unkept_files where place = ${place}`)).toBeDefined();
  });
});
