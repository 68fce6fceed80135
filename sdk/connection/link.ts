import { topicOf } from '#contract/deviceWire.ts';
import { PacketFault } from '#mqtt/mqttFault.ts';
import {
  type ConnackCode,
  type ConnectPacket,
  connackCodes,
  encodePacket,
  type Granted,
  type Packet,
} from '#mqtt/mqttPacket.ts';
import { PacketReader } from '#mqtt/mqttReader.ts';
import { connectWithinS, downPacketBytesMax } from '#rules/devices/gatewayLimits.ts';
import { closeReason, type EndReason, refusalReason } from './ends.ts';
import type { Listeners } from './listeners.ts';

/** The part of a WebSocket that is used: of a browser, Node, or another implementation. */
export interface SocketLike {
  binaryType: string;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: { type: string; data?: unknown; reason?: string }) => void,
  ): void;
}
export type SocketClass = new (url: string, protocols: string[]) => SocketLike;

/** A packet that was sent or received, without the key. */
export interface WireEntry {
  at: Date;
  way: 'up' | 'down';
  packet: Packet;
  bytes: number;
}

export interface LinkOptions {
  url: string;
  deviceId: string;
  apiKey: string;
  clientId: string;
  keepAliveS: number;
  WebSocket: SocketClass;
  wire: Listeners<WireEntry>;
}

interface LinkEvents {
  /** Connected and subscribed. */
  opened(): void;
  received(packet: Packet): void;
  /** Called last, exactly once. */
  ended(reason: EndReason): void;
}

const subscribed = [
  ...(['stateRejected', 'rejected', 'desired', 'delta', 'target', 'config', 'logWanted'] as const),
  ...(['command', 'logRequest'] as const),
];

/** One MQTT connection over one WebSocket, from its first packet to its last. */
export class Link {
  readonly #options: LinkOptions;
  readonly #events: LinkEvents;
  readonly #socket: SocketLike;
  readonly #reader = new PacketReader(downPacketBytesMax);
  #timer: ReturnType<typeof setTimeout>;
  #isConnected = false;
  #isOver = false;
  #waitsForPong = false;

  constructor(options: LinkOptions, events: LinkEvents) {
    this.#options = options;
    this.#events = events;
    const socket = new options.WebSocket(options.url, ['mqtt']);
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => this.#connect());
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    // An error is always followed by the close; a socket without a listener for it would throw.
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', ({ reason }) =>
      this.#end(this.#isConnected ? closeReason(reason) : 'UNREACHABLE'),
    );
    this.#socket = socket;
    this.#timer = setTimeout(() => this.#end('NO_ANSWER'), connectWithinS * 1000);
  }

  send(packet: Packet): void {
    if (this.#isOver) return;
    const bytes = encodePacket(packet) as Uint8Array<ArrayBuffer>;
    this.#socket.send(bytes);
    this.#show('up', packet, bytes.length);
  }

  /** Sends DISCONNECT, unless `abruptly`, which looks like a lost connection. */
  close(abruptly: boolean): void {
    if (this.#isConnected && !abruptly) this.send({ type: 'disconnect' });
    this.#end('CLOSED');
  }

  #connect(): void {
    const { deviceId, apiKey, clientId, keepAliveS } = this.#options;
    const password = new TextEncoder().encode(apiKey);
    this.send({ type: 'connect', clientId, cleanSession: true, keepAliveS, username: deviceId, password });
  }

  #receive(data: unknown): void {
    // Also a part of a packet: on a slow network, the pong comes long after a large config has begun to arrive.
    this.#waitsForPong = false;
    try {
      if (data instanceof ArrayBuffer) this.#read(new Uint8Array(data));
      else this.#end('PROTOCOL_ERROR');
    } catch (error) {
      if (!(error instanceof PacketFault)) throw error;
      // Nothing that comes after a broken packet can be read.
      this.#end('PROTOCOL_ERROR');
    }
  }

  #read(bytes: Uint8Array): void {
    this.#reader.push(bytes);
    while (!this.#isOver) {
      const before = this.#reader.unread;
      const packet = this.#reader.next();
      if (!packet) return;
      this.#show('down', packet, before - this.#reader.unread);
      this.#take(packet);
    }
  }

  #take(packet: Packet): void {
    if (packet.type === 'connack') this.#answered(packet.code);
    else if (packet.type === 'suback') this.#subscribed(packet.granted);
    else if (packet.type !== 'pingresp') this.#events.received(packet);
  }

  #answered(code: ConnackCode): void {
    if (code !== connackCodes.accepted) {
      this.#end(refusalReason(code));
      return;
    }
    this.#isConnected = true;
    const { deviceId } = this.#options;
    const subscriptions = subscribed.map(name => ({ filter: topicOf(deviceId, name, '+'), qos: 1 as const }));
    this.send({ type: 'subscribe', packetId: 1, subscriptions });
  }

  #subscribed(granted: Granted[]): void {
    if (granted.includes(128)) {
      this.#end('REFUSED');
      return;
    }
    this.#keepAlive();
    this.#events.opened();
  }

  /** Pings twice within the keep-alive interval; if nothing arrives after a ping, the connection is dead. */
  #keepAlive(): void {
    clearTimeout(this.#timer);
    // 0 means no keep-alive in MQTT; the gateway has its own limit.
    if (this.#options.keepAliveS === 0) return;
    this.#timer = setInterval(() => {
      if (this.#waitsForPong) this.#end('LOST');
      this.#waitsForPong = true;
      this.send({ type: 'pingreq' });
    }, this.#options.keepAliveS * 500);
  }

  #end(reason: EndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#socket.close();
    this.#events.ended(reason);
  }

  #show(way: WireEntry['way'], packet: Packet, bytes: number): void {
    const { wire } = this.#options;
    // Without listeners, this costs nothing.
    if (!wire.some) return;
    wire.emit({
      at: new Date(),
      way,
      packet: packet.type === 'connect' ? withoutKey(packet) : packet,
      bytes,
    });
  }
}

function withoutKey({ password: _, ...rest }: ConnectPacket): ConnectPacket {
  return rest;
}
