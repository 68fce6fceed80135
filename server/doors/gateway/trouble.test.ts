import { describe, expect, it } from 'vitest';
import { checkDevice, type DeviceHealth } from '#contract/deviceHealth.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, rawDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();
type Layer = DeviceHealth['layers'][number];

/** Resolves with a layer of the health check once it contains the text. */
function untilSaid({ id: deviceId }: { id: string }, id: Layer['id'], text: string): Promise<Layer> {
  return until(async () => {
    const { layers } = await at.owner.client.call(checkDevice, { params: { deviceId } });
    return layers.find(layer => layer.id === id && layer.text.includes(text));
  });
}

describe('the health check of a device with a problem', () => {
  it('names a message that cannot be parsed', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.client.publishAsync(`d/${device.id}/state`, '{broken', { qos: 1 });
    expect(await untilSaid(device, 'messages', 'state: The payload is not valid JSON')).toMatchObject({
      verdict: 'fail',
    });
  });

  it('names a topic that does not exist', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('weather/today', {});
    const text = 'weather/today: Devices cannot publish to this topic.';
    expect(await untilSaid(device, 'messages', text)).toMatchObject({ verdict: 'fail' });
  });

  it('names a topic outside the device’s prefix, even after it reconnects', async () => {
    const device = await at.device();
    const here = await at.connect(device);
    here.client.publish('weather/today', '{}');
    await here.ended();
    await using _again = await at.connect(device);
    await at.untilIs(device, 'connected');
    expect(await untilSaid(device, 'messages', 'weather/today')).toMatchObject({ verdict: 'fail' });
  });

  it('names a rejected subscription', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.client.subscribeAsync('d/dev_other/#').catch(() => undefined);
    const said = await untilSaid(device, 'subscriptions', 'was rejected: d/dev_other/#.');
    expect(said.verdict).toBe('warn');
  });

  it('says why a CONNECT with the right key was refused', async () => {
    const [willing, nameless] = [await at.device(), await at.device()];
    const will = {
      topic: 'd/dev_other/events/gone',
      payload: Buffer.from('{}'),
      qos: 0,
      retain: false,
    } as const;
    await using one = await rawDevice(at.url);
    one.send(connectPacket(willing, { will }));
    await using other = await rawDevice(at.url);
    other.send(connectPacket(nameless, { clientId: 'x'.repeat(129) }));
    const said = await untilSaid(willing, 'connected', 'The topic of its will is outside its own prefix.');
    expect(said.verdict).toBe('fail');
    await untilSaid(nameless, 'connected', 'The client id is longer than 128 characters');
  });

  it('still reports a wrong key after a connection was refused for another reason', async () => {
    const device = await at.device();
    await using wrong = await rawDevice(at.url);
    wrong.send(connectPacket({ ...device, apiKey: 'wrong' }));
    await untilSaid(device, 'key', 'it used a wrong key');
    await using other = await rawDevice(at.url);
    other.send(connectPacket(device, { clientId: 'x'.repeat(129) }));
    await untilSaid(device, 'connected', 'The client id is longer');
    expect(await untilSaid(device, 'key', 'a wrong key')).toMatchObject({ verdict: 'warn' });
  });
});
