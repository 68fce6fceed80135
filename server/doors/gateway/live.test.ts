import { describe, expect, it } from 'vitest';
import { sendCommand } from '#contract/command.ts';
import type { LiveMessage } from '#contract/live.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

interface Window {
  heard: LiveMessage[];
  next(kind: LiveMessage['kind'], what?: string): Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A console window that shows the project, or one of its devices. */
async function look(deviceId?: string): Promise<Window> {
  const query = deviceId === undefined ? '' : `?deviceId=${deviceId}`;
  const answer = await at.owner.fetch(`${at.world.url}/api/projects/${at.projectId}/live${query}`);
  expect(answer.status).toBe(200);
  const heard: LiveMessage[] = [];
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const reading = (async () => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      text += chunk.value;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, kind, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
        if (kind && data) heard.push({ kind, ...JSON.parse(data) });
      }
    }
  })();
  return {
    heard,
    next: (kind, what) =>
      until(() =>
        heard.find(
          message => message.kind === kind && (!what || ('what' in message && message.what === what)),
        ),
      ),
    async [Symbol.asyncDispose]() {
      await reader?.cancel();
      await reading;
    },
  };
}

describe('a console that shows a device', () => {
  it('is told how long ago the device did something before the stream was open', async () => {
    const device = await at.device();
    await using silent = await look(device.id);
    expect(await silent.next('before')).toMatchObject({ deviceAgeMs: expect.closeTo(600_000, -4) });
    await using here = await at.connect(device);
    await here.say('events/door', { open: true });
    await using window = await look(device.id);
    const { deviceAgeMs } = (await window.next('before')) as { deviceAgeMs: number };
    expect(deviceAgeMs).toBeLessThan(300_000);
  });

  it('receives everything about the device, in the shape the API returns', async () => {
    const device = await at.device();
    await using window = await look(device.id);
    await using here = await at.connect(device);
    await here.listen('#');
    expect(await window.next('device', 'presence')).toMatchObject({
      deviceId: device.id,
      data: { id: device.id, connectionStatus: 'connected' },
    });
    await here.say('state', { t: 20 });
    expect(await window.next('device', 'state')).toMatchObject({ data: { reported: { t: 20 }, delta: {} } });
    await here.say('events/door', { open: true });
    expect(await window.next('device', 'event')).toMatchObject({
      data: { name: 'door', payload: { open: true } },
    });
    const params = { deviceId: device.id };
    const command = await at.owner.client.call(sendCommand, { params, body: { name: 'blink' } });
    await here.next('commands/blink');
    await here.say(`results/${command.id}`, { ok: true });
    await until(() => {
      const stages = window.heard.flatMap(message =>
        message.kind === 'device' && message.what === 'command'
          ? [(message.data as { stage: string }).stage]
          : [],
      );
      return stages.includes('sent') && stages.includes('done') ? stages : undefined;
    });
    expect(await window.next('device', 'entry')).toMatchObject({ data: { action: 'connected', level: 2 } });
  });

  it('makes the gateway request the device’s log, and receives its lines', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.listen('log/wanted');
    expect((await here.next('log/wanted')).payload).toEqual({ wanted: false });
    await using window = await look(device.id);
    expect(await here.next('log/wanted')).toMatchObject({ payload: { wanted: true }, retain: false });
    await here.say('log', { level: 2, text: 'wifi: connected' }, { qos: 0 });
    expect(await window.next('device', 'log')).toMatchObject({ data: { level: 2, text: 'wifi: connected' } });
    at.world.pass(60_000);
    expect((await here.next('log/wanted')).payload).toEqual({ wanted: false });
  });

  it('receives nothing about another device', async () => {
    const [shown, other] = [await at.device(), await at.device()];
    await using window = await look(shown.id);
    await using elsewhere = await look(other.id);
    await using here = await at.connect(other);
    await here.say('events/door', {});
    await elsewhere.next('device', 'event');
    expect(window.heard.filter(({ kind }) => kind === 'device')).toEqual([]);
  });

  it('is rejected for a device of another project', async () => {
    const stranger = await at.world.aDeveloper();
    const { id } = await at.world.aProject(stranger);
    const device = await at.device();
    const answer = await stranger.fetch(`${at.world.url}/api/projects/${id}/live?deviceId=${device.id}`);
    expect([answer.status, await answer.json()]).toMatchObject([404, { reason: 'DEVICE_NOT_FOUND' }]);
  });
});

describe('a console that shows a project', () => {
  it('receives the ids of devices that connected and disconnected, in few batches', async () => {
    const devices = await Promise.all(Array.from({ length: 5 }, () => at.device()));
    await using window = await look();
    const all = await Promise.all(devices.map(device => at.connect(device)));
    const named = () =>
      window.heard.flatMap(message => (message.kind === 'devices' ? [...(message.deviceIds ?? [])] : []));
    await until(() => (devices.every(({ id }) => named().includes(id)) ? true : undefined));
    expect(window.heard.filter(({ kind }) => kind === 'devices').length).toBeLessThan(5);
    expect(window.heard.some(({ kind }) => kind === 'device')).toBe(false);
    await Promise.all(all.map(one => one.client.endAsync()));
  });
});
