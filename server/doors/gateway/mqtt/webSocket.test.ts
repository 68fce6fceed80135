import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { writeKvPair } from '#contract/deviceClass.ts';
import { encodePacket, type Packet } from '#mqtt/mqttPacket.ts';
import { PacketReader } from '#mqtt/mqttReader.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, mqttDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();
const address = () => `${at.world.url.replace('http', 'ws')}/mqtt`;

interface Opened {
  webSocket: WebSocket;
  heard: Packet[];
  /** The lengths of the messages. */
  sizes: number[];
  ended: Promise<{ code: number; reason: string }>;
}

function open(protocols: string[] = ['mqtt'], headers: Record<string, string> = {}): Opened {
  const webSocket = new WebSocket(address(), protocols, { headers });
  const reader = new PacketReader(1024 * 1024);
  const heard: Packet[] = [];
  const sizes: number[] = [];
  webSocket.on('message', data => {
    sizes.push((data as Buffer).length);
    reader.push(data as Buffer);
    for (let packet = reader.next(); packet; packet = reader.next()) heard.push(packet);
  });
  webSocket.on('error', () => undefined);
  const ended = new Promise<{ code: number; reason: string }>(resolve =>
    webSocket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  return { webSocket, heard, sizes, ended };
}

/** The status of a rejected upgrade, or 101 if it succeeds. */
function statusOf(protocols: string[], headers: Record<string, string> = {}): Promise<number> {
  const webSocket = new WebSocket(address(), protocols, { headers });
  return new Promise((resolve, reject) => {
    webSocket.on('error', () => undefined);
    webSocket.once('unexpected-response', (request, { statusCode = 0 }) => {
      request.destroy();
      resolve(statusCode);
    });
    webSocket.once('open', () => {
      webSocket.close();
      resolve(101);
    });
    webSocket.once('close', code => reject(new Error(`closed with ${code}`)));
  });
}

describe('MQTT over WebSocket', () => {
  it('works like MQTT over TCP', async () => {
    const device = await at.device();
    await using here = await mqttDevice(address(), device);
    await here.say('events/door', { open: true });
    expect(await at.eventsOf(device)).toHaveLength(1);
    expect((await at.read(device)).connection.protocol).toBe('websocket');
  });

  it('accepts packets split across WebSocket messages at any byte', async () => {
    const device = await at.device();
    const { webSocket, heard } = open();
    await new Promise(resolve => webSocket.once('open', resolve));
    const bytes = Buffer.concat([connectPacket(device), { type: 'pingreq' as const }].map(encodePacket));
    for (const byte of bytes) webSocket.send(Uint8Array.of(byte));
    await until(() => heard.find(({ type }) => type === 'pingresp'));
    webSocket.close();
  });

  it('sends a large packet in small messages, so that a device on a slow network sees it arrive', async () => {
    const { id: deviceClass } = await at.deviceClass({});
    const device = await at.device({ deviceClass });
    const params = { classId: deviceClass, pairKey: 'large' };
    const body = { value: 'x'.repeat(60 * 1024) };
    await at.owner.client.call(writeKvPair, { params, query: { projectId: at.projectId }, body });
    const { webSocket, heard, sizes } = open();
    await new Promise(resolve => webSocket.once('open', resolve));
    webSocket.send(encodePacket(connectPacket(device)));
    const subscriptions = [{ filter: `d/${device.id}/config`, qos: 1 as const }];
    webSocket.send(encodePacket({ type: 'subscribe', packetId: 1, subscriptions }));
    const config = await until(() => heard.find(({ type }) => type === 'publish'));
    expect(config.type === 'publish' && config.payload.length).toBeGreaterThan(60 * 1024);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16 * 1024);
    webSocket.close();
  });

  it.each([
    [['mqtt'], {}, 101],
    [[], {}, 426],
    [['mqttv3.1'], {}, 426],
    [['mqtt'], { origin: 'https://elsewhere.example' }, 101],
    [['mqtt'], { origin: 'http://localhost:80' }, 101],
    [['mqtt'], { origin: 'null' }, 101],
  ] as const)('answers an upgrade with %j and %j with status %i', async (protocols, headers, status) => {
    expect(await statusOf([...protocols], headers)).toBe(status);
  });

  it('answers a plain GET with the required upgrade', async () => {
    const answer = await fetch(`${at.world.url}/mqtt`);
    expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(await answer.json()).toMatchObject({ reason: 'UPGRADE_REQUIRED' });
  });

  it('is not available at other paths', async () => {
    const webSocket = new WebSocket(`${at.world.url.replace('http', 'ws')}/api/projects`, ['mqtt']);
    webSocket.on('error', () => undefined);
    const status = await new Promise(resolve =>
      webSocket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode)),
    );
    expect(status).toBe(401);
  });

  it('tells the browser why the connection ends', async () => {
    const device = await at.device();
    const { webSocket, heard, ended } = open();
    await new Promise(resolve => webSocket.once('open', resolve));
    webSocket.send(encodePacket(connectPacket(device)));
    await until(() => heard.find(({ type }) => type === 'connack'));
    webSocket.send(encodePacket(connectPacket(device)));
    expect(await ended).toEqual({
      code: 1002,
      reason: 'The device sent something that is not valid MQTT 3.1.1.',
    });
  });

  it.each([
    ['a frame without a mask', '820100'],
    ['a reserved bit', 'c281000000000000'],
    ['an unknown opcode', '8381000000000000'],
    ['a fragmented control frame', '098000000000'],
    ['a control frame that is too long', '89fe007e00000000'],
    ['an announced length of 2^40 bytes', '82ff0000010000000000000000000'],
    ['an invalid closing code', '8882000000000000'],
    ['a continuation without a first frame', '8081000000000000'],
  ])('ends for %s', async (_, hex) => {
    const { hostname, port } = new URL(at.world.url);
    const socket = connectSocket({ host: hostname, port: Number(port) });
    const key = Buffer.alloc(16).toString('base64');
    socket.write(
      `GET /mqtt HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n`,
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1.1 101 /);
    socket.write(Buffer.from(hex, 'hex'));
    await once(socket.resume(), 'close');
  });

  it('ends for a text message, and for a message that is too long', async () => {
    const text = open();
    await new Promise(resolve => text.webSocket.once('open', resolve));
    text.webSocket.send('hello');
    expect((await text.ended).code).toBe(1002);
    const long = open();
    await new Promise(resolve => long.webSocket.once('open', resolve));
    long.webSocket.send(Buffer.alloc(300 * 1024));
    expect((await long.ended).code).toBe(1009);
  });
});
