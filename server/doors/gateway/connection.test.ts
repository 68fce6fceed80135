import { describe, expect, it, vi } from 'vitest';
import { createTemporaryKey } from '#contract/device.ts';
import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import { encodePacket, type Packet } from '#mqtt/mqttPacket.ts';
import { PacketReader } from '#mqtt/mqttReader.ts';
import { hourMs } from '#rules/time/durations.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, type Identity } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';
import { createParts } from './createParts.ts';
import { Connection } from './mqtt/connection.ts';
import type { Transport } from './mqtt/transport.ts';
import type { GatewayParts } from './parts.ts';

const at = aGatewayWorld();

interface Held {
  connection: Connection;
  transport: Omit<Transport, 'buffered' | 'sent'> & {
    buffered: number;
    sent: number;
    isPaused: boolean;
    endedFor: DisconnectReason | undefined;
  };
  heard: Packet[];
  send(...packets: Packet[]): void;
}

/** A connection whose bytes and clock the test controls. */
function hold(parts: GatewayParts): Held {
  const reader = new PacketReader(1024 * 1024);
  const heard: Packet[] = [];
  const transport: Held['transport'] = {
    protocol: 'mqtt',
    address: '192.0.2.1',
    buffered: 0,
    sent: 0,
    isPaused: false,
    endedFor: undefined,
    write(bytes) {
      reader.push(bytes);
      for (let packet = reader.next(); packet; packet = reader.next()) heard.push(packet);
    },
    pause() {
      transport.isPaused = true;
    },
    resume() {
      transport.isPaused = false;
    },
    end(reason) {
      transport.endedFor = reason;
    },
  };
  const connection = new Connection(parts, transport);
  const send = (...packets: Packet[]) => {
    for (const packet of packets) connection.received(encodePacket(packet));
  };
  return { connection, transport, heard, send };
}

async function connectAs(device: Identity, more: Parameters<typeof connectPacket>[1] = {}) {
  const parts = createParts(at.world.platform, 'gtw_hand');
  const held = hold(parts);
  held.send(connectPacket(device, more));
  await until(() => (held.heard.length > 0 ? true : undefined));
  expect(held.heard[0]).toMatchObject({ type: 'connack', code: 0 });
  return { ...held, parts };
}

const event = ({ id }: Identity, packetId: number): Packet => ({
  type: 'publish',
  topic: `d/${id}/events/tick`,
  payload: Buffer.from('1'),
  qos: 1,
  packetId,
  retain: false,
  dup: false,
});

it('a client that sends a byte now and then, but no complete CONNECT, is disconnected', async () => {
  const { connection, transport } = hold(createParts(at.world.platform, 'gtw_hand'));
  const startMs = performance.now();
  let nowMs = startMs;
  const time = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const bytes = encodePacket(connectPacket({ id: 'dev_1', apiKey: 'x' }));
  for (let i = 0; i < 12; i++) {
    nowMs = startMs + i * 1_000;
    connection.received(bytes.subarray(i, i + 1));
    connection.tick(nowMs, at.world.now());
  }
  time.mockRestore();
  expect(transport.endedFor).toBe('SILENT');
});

describe('a device with much to read', () => {
  /** Ticks every second while the device reads this much in each. */
  async function reading(bytesPerS: (second: number) => number, seconds: number) {
    const device = await at.device();
    const { connection, transport, parts } = await connectAs(device, { keepAliveS: 600 });
    transport.buffered = 900_000;
    connection.writeBytes(Buffer.alloc(0));
    const startMs = performance.now();
    for (let second = 1; second <= seconds && !transport.endedFor; second += 1) {
      transport.sent += bytesPerS(second);
      connection.tick(startMs + second * 1_000, at.world.now());
    }
    const { endedFor } = transport;
    connection.end('CLOSED');
    await parts.connectionRecord.stop();
    return endedFor;
  }

  it('stays connected as long as it reads, however slowly', async () => {
    expect(await reading(() => 24_000, 60)).toBeUndefined();
    expect(await reading(second => (second % 9 === 0 ? 1_000 : 0), 60)).toBeUndefined();
  });

  it('is disconnected ten seconds after it stopped reading', async () => {
    expect(await reading(() => 0, 12)).toBe('SLOW');
    expect(await reading(second => (second < 30 ? 24_000 : 0), 45)).toBe('SLOW');
  });
});

describe('a device', () => {
  it('is not disconnected as silent after reading was paused for longer than its keep-alive interval', async () => {
    const device = await at.device();
    const { connection, transport, heard, send, parts } = await connectAs(device, { keepAliveS: 1 });
    const kept = Promise.withResolvers<undefined>();
    vi.spyOn(parts.ingest, 'take').mockReturnValue(kept.promise);
    for (let i = 1; i <= 64; i++) send(event(device, i));
    expect(transport.isPaused).toBe(true);
    const now = at.world.now();
    let nowMs = performance.now() + 10_000;
    const time = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    connection.tick(nowMs, now);
    kept.resolve(undefined);
    while (transport.isPaused) await new Promise(resolve => setImmediate(resolve));
    nowMs += 100;
    connection.tick(nowMs, now);
    expect(transport.endedFor).toBeUndefined();
    connection.tick(nowMs + 2_000, now);
    time.mockRestore();
    expect(transport.endedFor).toBe('SILENT');
    expect(heard.filter(({ type }) => type === 'puback')).toHaveLength(64);
  });

  it.each([
    [3_600, 'The device requested 3600 s; the gateway allows at most 1200 s.'],
    [0, 'The device requested none; the gateway allows at most 1200 s.'],
  ])('with a keep-alive interval of %i s has the effective one in its log', async (keepAliveS, text) => {
    const device = await at.device();
    const { connection, transport } = await connectAs(device, { keepAliveS });
    connection.tick(performance.now() + 1_790_000, at.world.now());
    expect(transport.endedFor).toBeUndefined();
    connection.tick(performance.now() + 1_900_000, at.world.now());
    expect(transport.endedFor).toBe('SILENT');
    await at.untilLogged(device, text);
  });

  it('with an expired key can send nothing more, not even its will', async () => {
    const device = await at.device();
    const { token } = await at.owner.client.call(createTemporaryKey, { params: { deviceId: device.id } });
    const will = {
      topic: `d/${device.id}/events/gone`,
      payload: Buffer.from('{}'),
      qos: 0 as const,
      retain: false,
    };
    const { connection, transport, parts } = await connectAs({ id: device.id, apiKey: token }, { will });
    const taken = vi.spyOn(parts.ingest, 'take');
    connection.tick(performance.now(), new Date(at.world.now().getTime() + hourMs));
    expect(transport.endedFor).toBe('KEY_EXPIRED');
    expect(taken).not.toHaveBeenCalled();
    await parts.connectionRecord.stop();
  });
});
