import { describe, expect, it } from 'vitest';
import { createTemporaryKey, deleteDevice, rotateDeviceKey } from '#contract/device.ts';
import { deleteProject } from '#contract/project.ts';
import { hourMs } from '#rules/time/durations.ts';
import { aDevice } from '#test/devices.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, type Identity, rawDevice } from '#test/mqttDevice.ts';

const at = aGatewayWorld();

/** The CONNACK code of a CONNECT. */
async function codeOf(
  device: Identity,
  more: Parameters<typeof connectPacket>[1] = {},
): Promise<number | undefined> {
  await using raw = await rawDevice(at.url);
  raw.send(connectPacket(device, more));
  const answer = await raw.next('connack');
  return answer.type === 'connack' ? answer.code : undefined;
}

describe('a CONNECT', () => {
  it('is answered with the code for its outcome', async () => {
    const device = await at.device();
    const will = (topic: string) => ({ topic, payload: Buffer.from('{}'), qos: 0 as const, retain: false });
    expect(await codeOf(device)).toBe(0);
    expect(await codeOf(device, { clientId: '' })).toBe(0);
    expect(await codeOf(device, { cleanSession: false })).toBe(0);
    expect(await codeOf(device, { clientId: '', cleanSession: false })).toBe(2);
    expect(await codeOf(device, { clientId: 'x'.repeat(129) })).toBe(2);
    expect(await codeOf({ ...device, apiKey: 'wrong' })).toBe(4);
    expect(await codeOf({ ...device, id: 'dev_01k9x3m2h4e6d8b0a2c4e6g8j0' })).toBe(4);
    expect(await codeOf({ ...device, apiKey: '' })).toBe(4);
    expect(await codeOf(device, { will: will(`d/${device.id}/events/gone`) })).toBe(0);
    expect(await codeOf(device, { will: will('d/dev_other/events/gone') })).toBe(5);
    expect(await codeOf(device, { will: will(`d/${device.id}/desired`) })).toBe(5);
    await at.untilLogged(device, 'Rejected: The key was wrong.');
  });

  it('without a user name and password is refused', async () => {
    const device = await at.device();
    const { username: _, password: __, ...bare } = connectPacket(device);
    await using raw = await rawDevice(at.url);
    raw.send(bare);
    expect(await raw.next('connack')).toMatchObject({ code: 4 });
  });

  it('of a device with the key of another device is refused', async () => {
    const [one, other] = [await at.device(), await at.device()];
    expect(await codeOf({ id: one.id, apiKey: other.apiKey })).toBe(4);
  });

  it('may be followed by messages before it is answered', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    const topic = `d/${device.id}/events/early`;
    raw.send(connectPacket(device), {
      type: 'publish',
      topic,
      payload: Buffer.from('1'),
      qos: 1,
      packetId: 7,
      retain: false,
      dup: false,
    });
    expect(await raw.next('puback')).toMatchObject({ packetId: 7 });
    expect(raw.heard[0]?.type).toBe('connack');
  });

  it('of MQTT 5 is refused because of its version', async () => {
    await using raw = await rawDevice(at.url);
    raw.send(Buffer.from('100d00044d5154540502003c000000', 'hex'));
    expect(await raw.next('connack')).toMatchObject({ code: 1 });
    await raw.ended();
  });

  it('that never completes ends in a timeout', async () => {
    await using raw = await rawDevice(at.url);
    raw.send(Buffer.from('10', 'hex'));
    await raw.ended();
  });
});

describe('a key', () => {
  it('ends its connections when it is rotated, and is still accepted during a grace period', async () => {
    const device = await at.device();
    const params = { deviceId: device.id };
    await using here = await at.connect(device);
    const graceful = await at.owner.client.call(rotateDeviceKey, { params, body: { graceS: 3600 } });
    await here.say('events/still', {});
    expect(await codeOf(device)).toBe(0);
    expect(await codeOf({ ...device, apiKey: graceful.apiKey })).toBe(0);
    const { apiKey } = await at.owner.client.call(rotateDeviceKey, { params, body: { graceS: 0 } });
    await here.ended();
    await at.untilLogged(device, 'Disconnected: The API key was changed.');
    expect(await codeOf(device)).toBe(4);
    expect(await codeOf({ ...device, apiKey })).toBe(0);
  });

  it('ends its connections when its grace period is over', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await at.owner.client.call(rotateDeviceKey, { params: { deviceId: device.id }, body: { graceS: 1800 } });
    at.world.pass(hourMs / 2);
    await here.ended();
    await at.untilLogged(device, 'Disconnected: The API key was changed.');
  });

  it('that is temporary is accepted for its own device only, and for one hour', async () => {
    const [device, other] = [await at.device(), await at.device()];
    const { token } = await at.owner.client.call(createTemporaryKey, { params: { deviceId: device.id } });
    expect(await codeOf({ id: other.id, apiKey: token })).toBe(4);
    await using here = await at.connect({ id: device.id, apiKey: token });
    await here.say('events/here', {});
    at.world.pass(hourMs);
    await here.ended();
    await at.untilLogged(device, 'Disconnected: The temporary key expired.');
    expect(await codeOf({ id: device.id, apiKey: token })).toBe(4);
  });
});

describe('a deletion', () => {
  it('disconnects a deleted device', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await at.owner.client.call(deleteDevice, { params: { deviceId: device.id } });
    await here.ended();
    expect(await codeOf(device)).toBe(4);
  });

  it('disconnects all devices of a deleted project', async () => {
    const project = await at.world.aProject(at.owner);
    const device = await aDevice(at.owner, project.id);
    await using here = await at.connect(device);
    await at.owner.client.call(deleteProject, { params: { projectId: project.id } });
    await here.ended();
    expect(await codeOf(device)).toBe(4);
  });
});
