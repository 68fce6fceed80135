import { afterEach, beforeEach, vi } from 'vitest';
import { type ConnackCode, encodePacket, type Packet, type PublishPacket } from '#mqtt/mqttPacket.ts';
import { PacketReader } from '#mqtt/mqttReader.ts';
import type { SocketLike } from '#sdk/connection/link.ts';
import { connectDevice, type Device, type DeviceOptions } from '#sdk/device.ts';

type Listener = (event: { type: string; data?: unknown; reason?: string }) => void;

/** The gateway's end of a connection, simulated by the test. */
class FakeSocket implements SocketLike {
  binaryType = 'blob';
  readonly url: string;
  readonly received: Packet[] = [];
  isClosed = false;
  readonly #gateway: FakeGateway;
  readonly #reader = new PacketReader(1024 * 1024);
  readonly #listeners = new Map<string, Listener[]>();

  constructor(gateway: FakeGateway, url: string) {
    this.#gateway = gateway;
    this.url = url;
    queueMicrotask(() => (gateway.isAway ? this.cut() : this.#tell('open')));
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(bytes: Uint8Array): void {
    if (this.isClosed) return;
    this.#reader.push(bytes);
    for (let packet = this.#reader.next(); packet; packet = this.#reader.next()) {
      this.received.push(packet);
      this.#gateway.answer(this, packet);
    }
  }

  close(): void {
    this.cut();
  }

  /** Closes the connection, optionally with a reason. */
  cut(reason = ''): void {
    if (this.isClosed) return;
    this.isClosed = true;
    queueMicrotask(() => this.#tell('close', { reason }));
  }

  say(...packets: Packet[]): void {
    for (const packet of packets) {
      const data = encodePacket(packet).slice().buffer;
      queueMicrotask(() => this.isClosed || this.#tell('message', { data }));
    }
  }

  sayRaw(...bytes: number[]): void {
    this.#tell('message', { data: Uint8Array.from(bytes).buffer });
  }

  #tell(type: string, event: { data?: unknown; reason?: string } = {}): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ type, ...event });
  }
}

/** Accepts connections, acknowledges messages and answers pings, unless told not to. */
class FakeGateway {
  readonly sockets: FakeSocket[] = [];
  readonly #devices: Device[] = [];
  /** The gateway cannot be reached. */
  isAway = false;
  isSilent = false;
  acknowledges = true;
  code: ConnackCode = 0;
  readonly WebSocket: new (
    url: string,
    protocols: string[],
  ) => SocketLike;

  constructor() {
    const { sockets } = this;
    const open = (url: string) => {
      const socket = new FakeSocket(this, url);
      sockets.push(socket);
      return socket;
    };
    this.WebSocket = class {
      constructor(url: string) {
        // biome-ignore lint/correctness/noConstructorReturn: replaces a class of the platform
        return open(url);
      }
    } as unknown as typeof this.WebSocket;
  }

  /** A device that connects as soon as the timers advance. */
  aDevice(options: Partial<DeviceOptions> = {}): Device {
    const given = { url: 'https://mooring.example.com', deviceId: 'dev_1', apiKey: 'secret' };
    const device = connectDevice({ ...given, WebSocket: this.WebSocket, ...options });
    this.#devices.push(device);
    return device;
  }

  end(): void {
    for (const device of this.#devices) device.close();
  }

  get last(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('Nobody has connected.');
    return socket;
  }

  /** The messages published over all connections. */
  get published(): { topic: string; json: unknown; packet: PublishPacket }[] {
    return this.sockets
      .flatMap(({ received }) => received)
      .filter(packet => packet.type === 'publish')
      .map(packet => ({
        topic: packet.topic,
        json: JSON.parse(new TextDecoder().decode(packet.payload)),
        packet,
      }));
  }

  /** Publishes to the device. */
  tell(topic: string, json: unknown): void {
    const payload = new TextEncoder().encode(JSON.stringify(json));
    this.last.say({ type: 'publish', topic, payload, qos: 1, retain: false, dup: false, packetId: 7 });
  }

  answer(socket: FakeSocket, packet: Packet): void {
    if (this.isSilent) return;
    if (packet.type === 'connect') socket.say({ type: 'connack', sessionPresent: false, code: this.code });
    if (packet.type === 'subscribe') {
      const { packetId, subscriptions } = packet;
      socket.say({ type: 'suback', packetId, granted: subscriptions.map(({ qos }) => qos) });
    }
    if (packet.type === 'pingreq') socket.say({ type: 'pingresp' });
    if (packet.type === 'publish' && packet.packetId !== undefined && this.acknowledges)
      socket.say({ type: 'puback', packetId: packet.packetId });
  }
}

/** A gateway for each test of a file, with fake timers. */
export class Rehearsal {
  gateway = new FakeGateway();

  /** Advances the timers and waits for everything in progress. */
  settle = async (ms = 0): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
  };

  /** A device that has connected, if it is accepted. */
  aDevice = async (options: Partial<DeviceOptions> = {}): Promise<Device> => {
    const device = this.gateway.aDevice(options);
    await this.settle();
    return device;
  };
}

/** For the tests of a file. */
export function aFakeGateway(timers: Parameters<typeof vi.useFakeTimers>[0] = {}): Rehearsal {
  const at = new Rehearsal();
  beforeEach(() => {
    vi.useFakeTimers(timers);
    at.gateway = new FakeGateway();
  });
  afterEach(() => {
    at.gateway.end();
    vi.useRealTimers();
  });
  return at;
}

/** The errors that nothing catches during the work. */
export async function uncaughtDuring(work: () => Promise<void>): Promise<unknown[]> {
  const faults: unknown[] = [];
  const hear = (error: unknown) => void faults.push(error);
  const others = process.listeners('uncaughtException');
  for (const one of others) process.off('uncaughtException', one);
  process.on('uncaughtException', hear);
  try {
    await work();
  } finally {
    process.off('uncaughtException', hear);
    for (const one of others) process.on('uncaughtException', one);
  }
  return faults;
}
