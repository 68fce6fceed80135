import { expect, it } from 'vitest';
import { createClient } from '#contract/client.ts';
import { readGateway } from '#contract/gateway.ts';
import { aWorld } from '#test/world.ts';

it('anybody is told where devices connect, by the address the platform is known under', async () => {
  const world = await aWorld({ MQTT_PORT: '0', PUBLIC_URL: 'https://mooring.example.com' });
  const { client } = world.visitor();
  expect(await client.call(readGateway, {})).toEqual({
    mqtt: { host: 'mooring.example.com', port: Number(new URL(world.mqttUrl ?? '').port), tls: false },
    websocketUrl: 'wss://mooring.example.com/mqtt',
    httpUrl: 'https://mooring.example.com/device/v1',
  });
  await world.end();
});

it('where no port is open for MQTT none is told', async () => {
  const world = await aWorld({ MQTT_PORT: 'off' });
  const client = createClient({ baseUrl: `${world.url}/api` });
  const gateway = await client.call(readGateway, {});
  expect(gateway).not.toHaveProperty('mqtt');
  expect(gateway.websocketUrl).toMatch(/^ws:\/\/localhost:\d+\/mqtt$/);
  await world.end();
});
