import { describe, expect, it } from 'vitest';
import {
  createTemporaryKey,
  editDevice,
  readDevice,
  readDeviceKey,
  rotateDeviceKey,
} from '#contract/device.ts';
import { editProject } from '#contract/project.ts';
import { addMember } from '#contract/team.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { credentialOf, isKeyOf, type KeyRow, keyColumns } from '#server/devices/keys/credential.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';

const at = aProjectWorld();

const of = ({ id }: { id: string }) => ({ params: { deviceId: id } });
const rotate = (device: { id: string }, graceS: number) =>
  at.owner.client.call(rotateDeviceKey, { ...of(device), body: { graceS } });

/** How the device gateway would judge a key. */
async function whichKey({ id }: { id: string }, key: string): Promise<string | undefined> {
  const row = await at.world.platform.db.one<KeyRow & { id: string }>(
    sql`select d.id, ${keyColumns} from devices d where d.id = ${id}`,
  );
  const credential = row && credentialOf(at.world.platform, row, key);
  if (!credential || !isKeyOf(row, credential, at.world.now())) return undefined;
  if (credential.until) return credential.until > at.world.now() ? 'temporary' : undefined;
  return credential.keyHash.equals(row.keyHash) ? 'current' : 'previous';
}

describe('the key of a device', () => {
  it('is accepted for its device, and no other key is', async () => {
    const [device, other] = [await at.device(), await at.device()];
    expect(await whichKey(device, device.apiKey)).toBe('current');
    for (const key of [other.apiKey, '', 'tmp.', device.apiKey.slice(1), `${device.apiKey} `])
      expect(await whichKey(device, key)).toBeUndefined();
  });

  it('can be read again, and the audit log records the read without the key', async () => {
    const device = await at.device();
    expect(await at.owner.client.call(readDeviceKey, of(device))).toEqual({ apiKey: device.apiKey });
    const entries = (await auditOf(at.world, at.projectId)).filter(
      ({ action }) => action === 'readDeviceKey',
    );
    expect(entries.at(-1)?.text).toBe(`Key of device ${device.id} read`);
    expect(JSON.stringify(entries)).not.toContain(device.apiKey);
  });

  it('can be read and rotated by developers, not by viewers', async () => {
    const device = await at.device();
    const viewer = await at.world.aDeveloper();
    const params = { projectId: at.projectId };
    await at.owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await failing(viewer.client.call(readDeviceKey, of(device)), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(createTemporaryKey, of(device)), 'ROLE_TOO_LOW');
    const rotation = viewer.client.call(rotateDeviceKey, { ...of(device), body: { graceS: 0 } });
    await failing(rotation, 'ROLE_TOO_LOW');
    await failing(at.owner.client.call(readDeviceKey, of({ id: 'dev_none' })), 'DEVICE_NOT_FOUND');
  });

  it('is shown only on creation and rotation in a project that forgets keys', async () => {
    const forgetful = await at.world.aProject(at.owner);
    const params = { projectId: forgetful.id };
    await at.owner.client.call(editProject, { params, body: { forgetDeviceKeys: true } });
    const device = await aDevice(at.owner, forgetful.id);
    await failing(at.owner.client.call(readDeviceKey, of(device)), 'KEY_FORGOTTEN');
    const { apiKey } = await rotate(device, 0);
    expect(await whichKey(device, apiKey)).toBe('current');
    await failing(at.owner.client.call(readDeviceKey, of(device)), 'KEY_FORGOTTEN');
  });

  it('stops working at once when it is rotated without a grace period', async () => {
    const device = await at.device();
    const { apiKey, previousKeyUntil } = await rotate(device, 0);
    expect(previousKeyUntil).toBeUndefined();
    expect([await whichKey(device, device.apiKey), await whichKey(device, apiKey)]).toEqual([
      undefined,
      'current',
    ]);
    expect(await at.owner.client.call(readDevice, of(device))).toMatchObject({ apiKeyEnd: apiKey.slice(-4) });
  });

  it('works until the end of the grace period when it is rotated, but the key before it does not', async () => {
    const device = await at.device();
    await rotate(device, 60);
    const second = await rotate(device, 3600);
    const read = await at.owner.client.call(readDevice, of(device));
    expect(read.previousKeyUntil).toBe(second.previousKeyUntil);
    const kept = await at.owner.client.call(readDeviceKey, of(device));
    expect(kept.apiKey).toBe(second.apiKey);
    expect(await whichKey(device, device.apiKey)).toBeUndefined();
    const next = await rotate(device, 60);
    expect(await whichKey(device, second.apiKey)).toBe('previous');
    at.world.pass(minuteMs + 1);
    expect(await whichKey(device, second.apiKey)).toBeUndefined();
    expect(await whichKey(device, next.apiKey)).toBe('current');
    expect((await at.owner.client.call(readDevice, of(device))).previousKeyUntil).toBeUndefined();
  });

  it('is not readable when it is rotated while the project starts to forget keys', async () => {
    const other = await at.world.aProject(at.owner);
    const device = await aDevice(at.owner, other.id);
    const forget = { params: { projectId: other.id }, body: { forgetDeviceKeys: true } };
    await atOnce<unknown>(6, number =>
      number === 2 ? at.owner.client.call(editProject, forget) : rotate(device, 0),
    );
    expect((await at.owner.client.call(readDevice, of(device))).apiKeyReadable).toBe(false);
  });
});

describe('a temporary key', () => {
  const make = (device: { id: string }) => at.owner.client.call(createTemporaryKey, of(device));

  it('is accepted for its device for one hour', async () => {
    const [device, other] = [await at.device(), await at.device()];
    const inAnHour = () => Math.floor((at.world.now().getTime() + hourMs) / 1000) * 1000;
    const earliest = inAnHour();
    const { token, expirationTime } = await make(device);
    expect(Date.parse(expirationTime)).toBeGreaterThanOrEqual(earliest);
    expect(Date.parse(expirationTime)).toBeLessThanOrEqual(inAnHour());
    expect(await whichKey(device, token)).toBe('temporary');
    expect(await whichKey(other, token)).toBeUndefined();
    at.world.pass(hourMs - minuteMs);
    expect(await whichKey(device, token)).toBe('temporary');
    at.world.pass(minuteMs);
    expect(await whichKey(device, token)).toBeUndefined();
  });

  it('is unique, and not valid once a character of it is changed', async () => {
    const device = await at.device();
    const [{ token }, second] = [await make(device), await make(device)];
    expect(second.token).not.toBe(token);
    for (let i = 0; i < token.length; i++) {
      const changed = token.slice(0, i) + (token[i] === 'x' ? 'y' : 'x') + token.slice(i + 1);
      expect(await whichKey(device, changed)).toBeUndefined();
    }
    for (const text of [token.slice(0, -1), `${token}.`, `${token}A`, token.toUpperCase(), 'tmp....'])
      expect(await whichKey(device, text)).toBeUndefined();
  });

  it('ends with the API key that was current when it was created', async () => {
    const device = await at.device();
    const { token } = await make(device);
    await rotate(device, 60);
    expect(await whichKey(device, token)).toBe('temporary');
    at.world.pass(minuteMs);
    expect(await whichKey(device, token)).toBeUndefined();
    const { token: next } = await make(device);
    await rotate(device, 0);
    expect(await whichKey(device, next)).toBeUndefined();
  });

  it('cannot be created for a suspended device', async () => {
    const device = await at.device();
    await at.owner.client.call(editDevice, { ...of(device), body: { suspended: true } });
    await failing(make(device), 'DEVICE_SUSPENDED');
  });

  it('is recorded in the audit log as created, without the key itself', async () => {
    const device = await at.device();
    const { token } = await make(device);
    const entries = await auditOf(at.world, at.projectId);
    expect(entries.at(-1)?.text).toBe(`Temporary key for device ${device.id} created`);
    expect(JSON.stringify(entries)).not.toContain(token);
  });
});
