import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import { PacketFault } from '#mqtt/mqttFault.ts';
import {
  type ConnackCode,
  type ConnectPacket,
  connackCodes,
  encodePacket,
  type Packet,
} from '#mqtt/mqttPacket.ts';
import { PacketReader } from '#mqtt/mqttReader.ts';
import { connectWithinS, downPacketBytesMax, packetBytesMax } from '#rules/devices/gatewayLimits.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';
import { count } from '#server/infra/metrics.ts';
import { admit } from './admit.ts';
import { silenceOf } from './keepAlive.ts';
import { Throttle } from './messageThrottle.ts';
import type { MqttSession } from './mqttSession.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** Buffer limit before authentication: enough for a CONNECT with a small will. */
const connectBytesMax = 8 * 1024;
/**
 * Unread bytes a device may have queued for a while without reading any, and the hard limit, at which the largest config
 * still leaves room for what follows it.
 */
const unreadBytes = { patienceMs: 10_000, some: 64 * 1024, most: downPacketBytesMax };

/** One MQTT connection, from its first byte to its end. */
export class Connection implements TransportEvents {
  readonly transport: Transport;
  readonly #parts: GatewayParts;
  readonly #reader = new PacketReader(connectBytesMax);
  readonly #throttle = new Throttle();
  #state: 'new' | 'connecting' | 'open' | 'over' = 'new';
  #session: MqttSession | undefined;
  readonly #hasSaid: () => void;
  #silence: ReturnType<typeof silenceOf> = { mostMs: connectWithinS * 1000, note: undefined };
  #heardMs = performance.now();
  /** Since when too much is unread, and how much the device had read then. */
  #unread: { sinceMs: number; sent: number } | undefined;
  #isPaused = false;
  #endedFor: DisconnectReason = 'LOST';

  constructor(parts: GatewayParts, transport: Transport) {
    this.#parts = parts;
    this.transport = transport;
    parts.connections.add(this);
    this.#hasSaid = parts.preAuthConnections.enter(transport.address);
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** Time since the last bytes arrived. */
  get silentMs(): number {
    return performance.now() - this.#heardMs;
  }

  received(bytes: Uint8Array): void {
    if (this.isOver) return;
    // A fixed deadline for authentication, which trickled bytes do not extend.
    if (this.#state !== 'new') this.#heardMs = performance.now();
    this.#reader.push(bytes);
    this.work();
  }

  malformed(): void {
    this.end('PROTOCOL_ERROR');
  }

  drained(): void {
    this.#unread = undefined;
    this.#session?.drained();
  }

  closed(): void {
    this.end('LOST');
  }

  /**
   * Processes buffered packets as far as limits allow; otherwise reading from the socket is paused
   * (backpressure).
   */
  work(): void {
    try {
      while (!this.#isHeld()) {
        const packet = this.#reader.next();
        if (!packet) break;
        this.#take(packet);
      }
    } catch (error) {
      if (error instanceof PacketFault) this.#fault(error);
      else this.#broke(error);
    }
    if (this.isOver || this.#isHeld() === this.#isPaused) return;
    this.#isPaused = !this.#isPaused;
    if (this.#isPaused) this.transport.pause();
    else {
      // Packets that arrived meanwhile are parsed only now.
      this.#heardMs = performance.now();
      this.transport.resume();
    }
  }

  write(packet: Packet): void {
    this.writeBytes(encodePacket(packet));
  }

  writeBytes(bytes: Uint8Array): void {
    if (this.isOver) return;
    this.transport.write(bytes);
    const { buffered } = this.transport;
    if (buffered > unreadBytes.most + bytes.length) this.end('SLOW');
    else if (buffered > unreadBytes.some)
      this.#unread ??= { sinceMs: performance.now(), sent: this.transport.sent };
  }

  end(reason: DisconnectReason): void {
    if (this.isOver) return;
    this.#state = 'over';
    this.#endedFor = reason;
    this.#parts.connections.delete(this);
    this.#hasSaid();
    this.transport.end(reason);
    this.#session?.finish(reason);
  }

  /** Every second: checks all timeouts. */
  tick(nowMs: number, now: Date): void {
    const silentMs = nowMs - this.#heardMs;
    if (this.#state !== 'open') {
      // Not registered, so there is nothing to record.
      if (silentMs > this.#silence.mostMs) this.end('SILENT');
      return;
    }
    const session = this.#session;
    const until = session?.credential.until;
    if (until && until <= now) this.end('KEY_EXPIRED');
    else if (session && this.#throttle.isOverdue(session.device.bucket, nowMs)) this.end('RATE_EXCEEDED');
    else if (this.#hasStoppedReading(nowMs)) this.end('SLOW');
    // While reading is paused, silence does not count.
    else if (!this.#isPaused && silentMs > this.#silence.mostMs) {
      if (session) session.fault = this.#silence.note;
      this.end('SILENT');
    }
  }

  /** Patience starts anew whenever the device reads: a large config takes its time on a slow network. */
  #hasStoppedReading(nowMs: number): boolean {
    if (!this.#unread) return false;
    const { sent } = this.transport;
    if (sent > this.#unread.sent) this.#unread = { sinceMs: nowMs, sent };
    return nowMs - this.#unread.sinceMs > unreadBytes.patienceMs;
  }

  #isHeld(): boolean {
    return (
      this.isOver ||
      this.#state === 'connecting' ||
      this.#throttle.isHolding ||
      Boolean(this.#session?.isFull)
    );
  }

  #take(packet: Packet): void {
    if (this.#state === 'new') {
      if (packet.type !== 'connect') throw new PacketFault('MALFORMED', 'The first packet is not CONNECT.');
      this.#connect(packet).catch(error => this.#broke(error));
      return;
    }
    const session = this.#session;
    if (!session) return;
    if (packet.type !== 'puback' && packet.type !== 'pubrel') this.#count(session, isPatient(packet));
    this.#act(session, packet);
  }

  #act(session: MqttSession, packet: Packet): void {
    switch (packet.type) {
      case 'publish':
        session.publish(packet);
        break;
      case 'puback':
        session.acknowledged(packet.packetId);
        break;
      case 'pubrel':
        session.released(packet.packetId);
        break;
      case 'subscribe':
        session.subscribe(packet);
        break;
      case 'unsubscribe':
        session.unsubscribe(packet);
        break;
      case 'pingreq':
        this.write({ type: 'pingresp' });
        break;
      case 'disconnect':
        session.will = undefined;
        this.end('CLOSED');
        break;
      default:
        throw new PacketFault('MALFORMED', `A device cannot send ${packet.type.toUpperCase()}.`);
    }
  }

  /** Every packet counts against the rate except acknowledgements. Beyond the rate, the next packet waits. */
  #count({ device }: MqttSession, isPatient: boolean): void {
    const waitMs = this.#throttle.count(device.bucket, performance.now(), isPatient);
    if (waitMs === 0) return;
    this.#parts.notes.limited(device);
    setTimeout(() => {
      this.#throttle.release();
      this.work();
    }, waitMs);
  }

  async #connect(packet: ConnectPacket): Promise<void> {
    this.#state = 'connecting';
    this.#heardMs = performance.now();
    this.#hasSaid();
    const admitted = await admit(this.#parts, packet, this);
    if (typeof admitted === 'number') return this.#refuse(admitted);
    // The connection ended, or lost its authorization, during authentication.
    if (this.isOver) return admitted.finish(this.#endedFor);
    this.#session = admitted;
    this.#state = 'open';
    this.#reader.bytesMax = packetBytesMax;
    this.#silence = silenceOf(packet.keepAliveS);
    this.#heardMs = performance.now();
    this.write({ type: 'connack', sessionPresent: false, code: connackCodes.accepted });
    this.work();
  }

  #refuse(code: ConnackCode): void {
    count('mooring_gateway_refusals_total', { reason: nameOf(code) });
    this.write({ type: 'connack', sessionPresent: false, code });
    this.end('LOST');
  }

  /** An internal error must cost one connection, not the process. */
  #broke(error: unknown): void {
    const detail = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    this.#parts.platform.log('error', 'A device connection was closed because of an internal error', detail);
    this.end('LOST');
  }

  #fault({ kind, message }: PacketFault): void {
    if (this.#session) this.#session.fault = message;
    if (kind === 'UNACCEPTABLE_VERSION' && this.#state === 'new') {
      this.#refuse(connackCodes.unacceptableVersion);
    } else if (kind === 'TOO_LARGE') this.end('TOO_LARGE');
    else this.end(kind === 'TOPIC' ? 'TOPIC_FORBIDDEN' : 'PROTOCOL_ERROR');
  }
}

/** The name of a CONNACK code for the metrics, such as `badCredentials`. */
function nameOf(code: ConnackCode): string {
  return Object.entries(connackCodes).find(([, one]) => one === code)?.[0] ?? String(code);
}

/** Whether the device waits for an answer to the packet, so that delaying the answer slows the device down. */
function isPatient(packet: Packet): boolean {
  return packet.type === 'pingreq' || (packet.type === 'publish' && packet.qos > 0);
}
