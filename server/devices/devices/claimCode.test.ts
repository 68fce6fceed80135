import { beforeAll, describe, expect, it } from 'vitest';
import { editDevice, readDevice } from '#contract/device.ts';
import { atOnce } from '#test/atOnce.ts';
import { aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aHome, inHome } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { createOne } from './createDevice.ts';

const at = aProjectWorld();

let deviceClass: string;
beforeAll(async () => {
  deviceClass = (await at.deviceClass()).id;
});

const make = () => at.device({ deviceClass });
const set = ({ id }: { id: string }, claimCode: string | null) =>
  at.owner.client.call(editDevice, { params: { deviceId: id }, body: { claimCode } });

describe('a claim code', () => {
  it('can be set to a given value, and null replaces it with a new one', async () => {
    const device = await make();
    expect((await set(device, 'Sticker7')).claimCode).toBe('Sticker7');
    const { claimCode } = await set(device, null);
    expect(claimCode).toMatch(/^[2-9A-HJKMNP-Z]{10}$/);
    for (const bad of ['short', 'with space', 'ü'.repeat(8), 'x'.repeat(33)])
      await failing(set(device, bad), 'INVALID_FIELDS');
  });

  it('belongs to one device of its project, even if several devices request it at once', async () => {
    const devices = await Promise.all(Array.from({ length: 6 }, make));
    const { answers, reasons } = await atOnce(6, i => set(devices[i] ?? { id: '' }, 'OneOnly123'));
    expect([answers.length, new Set(reasons)]).toEqual([1, new Set(['CLAIM_CODE_TAKEN'])]);
    const elsewhere = await aDevice(at.owner, (await at.world.aProject(at.owner)).id);
    expect((await set(elsewhere, 'OneOnly123')).claimCode).toBe('OneOnly123');
  });

  it('is used up once the device is claimed', async () => {
    const device = await make();
    const homeId = await aHome(at.world, at.projectId);
    expect('home' in device).toBe(false);
    await inHome(at.world, homeId, [device.id]);
    await failing(set(device, 'Another123'), 'DEVICE_CLAIMED');
    await failing(set(device, null), 'DEVICE_CLAIMED');
    const read = await at.owner.client.call(readDevice, { params: { deviceId: device.id } });
    expect([read.claimed, 'claimCode' in read]).toEqual([true, false]);
    const owner = { id: expect.stringMatching(/^usr_/), name: '' };
    expect(read.home).toEqual({
      id: homeId,
      name: 'Home',
      owner,
      since: expect.any(String),
      claimedHow: 'claim',
    });
  });

  it('is generated again if it is already taken', async () => {
    const taken = (await make()).claimCode ?? '';
    const codes = [taken, taken, 'QQQQQQQQQQ'];
    const { platform } = at.world;
    const body = { projectId: at.projectId, deviceClass, tag: 'hall-7' };
    const call = { platform, db: platform.db, body, now: at.world.now() };
    const made = await createOne(call, () => codes.shift() ?? '');
    expect([made.claimCode, codes]).toEqual(['QQQQQQQQQQ', []]);
    await expect(createOne(call, () => taken)).rejects.toThrow('No unused claim code');
  });
});
