import { expect, it } from 'vitest';
import { createClient } from '#contract/client.ts';
import { readGateway } from '#contract/gateway.ts';
import { aWorld } from '#test/world.ts';

it('anyone can read where devices connect, with the public address of the platform', async () => {
  const world = await aWorld({ MQTT_PORT: '0', PUBLIC_URL: 'https://mooring.example.com' });
  const { client } = world.visitor();
  expect(await client.call(readGateway, {})).toEqual({
    mqtt: { host: 'mooring.example.com', port: Number(new URL(world.mqttUrl ?? '').port), tls: false },
    websocketUrl: 'wss://mooring.example.com/mqtt',
    httpUrl: 'https://mooring.example.com/device/v1',
  });
  await world.end();
});

it('without an open MQTT port, no MQTT address is returned', async () => {
  const world = await aWorld({ MQTT_PORT: 'off' });
  const client = createClient({ baseUrl: `${world.url}/api` });
  const gateway = await client.call(readGateway, {});
  expect(gateway).not.toHaveProperty('mqtt');
  expect(gateway.websocketUrl).toMatch(/^ws:\/\/localhost:\d+\/mqtt$/);
  await world.end();
});
