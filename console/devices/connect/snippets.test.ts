import { expect, it } from 'vitest';
import { snippetKinds, snippetOf } from './snippets.ts';

const gateway = {
  mqtt: { host: 'mooring.example.com', port: 8883, tls: true },
  websocketUrl: 'wss://mooring.example.com/mqtt',
  httpUrl: 'https://mooring.example.com/device/v1',
};
const device = { gateway, deviceId: 'dev_1', apiKey: 'theKey' };

it.each(snippetKinds)('%s connects this device, with its key, to this platform', kind => {
  const text = snippetOf(kind, device);
  expect(text).toContain('mooring.example.com');
  expect(text).toContain('dev_1');
  expect(text).toContain('theKey');
});

it.each([
  ['mosquitto', / -i (dev_1|"\$DEVICE") /],
  ['python', /Client\(versions\.VERSION2, DEVICE\) .*Client\(DEVICE\)/],
  ['c', /mosquitto_new\(DEVICE,/],
] as const)('%s connects under the device id', (kind, by) => {
  for (const every of [false, true]) expect(snippetOf(kind, device, every)).toMatch(by);
});

it.each(['mosquitto', 'python', 'c'] as const)('%s uses the port and TLS setting of the gateway', kind => {
  const plain = { ...gateway, mqtt: { ...gateway.mqtt, port: 1883, tls: false } };
  const [tls, bare] = [snippetOf(kind, device), snippetOf(kind, { ...device, gateway: plain })];
  expect(tls).toContain('8883');
  expect(tls).toMatch(/capath|tls_set/);
  expect(bare).toContain('1883');
  expect(bare).not.toMatch(/capath|tls_set/);
});
