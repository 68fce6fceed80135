import { type DisconnectReason, subscriptionsMax } from '#contract/deviceProtocol.ts';
import {
  encodePacket,
  type Granted,
  type PublishPacket,
  type SubscribePacket,
  type Will,
} from '#contract/mqttPacket.ts';
import { topicMatches } from '#contract/mqttTopic.ts';
import { AckLine } from './ackLine.ts';
import type { Credential } from './admission.ts';
import { CommandFeed } from './commandFeed.ts';
import type { Connection } from './connection.ts';
import type { DeviceHere } from './here.ts';
import type { Refusal } from './ingest.ts';
import type { GatewayParts } from './parts.ts';
import type { Protocol } from './presenceBook.ts';
import { RetainedFeed } from './retainedFeed.ts';
import type { Session } from './session.ts';
import { maySubscribe, prefixOf, type RetainedName } from './topics.ts';

/** Messages that may wait to be kept before no more are read from the socket. */
const pendingMax = { count: 64, bytes: 256 * 1024 };
/** Messages of ours that a device may leave unacknowledged. */
const inFlightMax = 1_000;
const packetIdMax = 65_535;

const json = new TextEncoder();

/** What a device that was let in says and hears over MQTT. It ends with its connection: nothing of it is kept. */
export class MqttSession implements Session {
  readonly device: DeviceHere;
  readonly clientId: string;
  readonly credential: Credential;
  number = 0;
  will: Will | undefined;
  /** What was wrong with the packet it ended for. */
  fault: string | undefined;
  readonly #parts: GatewayParts;
  readonly #connection: Connection;
  readonly #subscriptions = new Map<string, 0 | 1>();
  readonly #acks: AckLine;
  readonly #inFlight = new Map<number, () => void>();
  readonly #retained: RetainedFeed;
  readonly #commands: CommandFeed;
  #packetId = 0;
  #pending = { count: 0, bytes: 0 };

  constructor(
    parts: GatewayParts,
    connection: Connection,
    given: { device: DeviceHere; clientId: string; credential: Credential; will: Will | undefined },
  ) {
    this.#parts = parts;
    this.#connection = connection;
    this.device = given.device;
    this.clientId = given.clientId;
    this.credential = given.credential;
    this.will = given.will;
    this.#acks = new AckLine(packetId => connection.write({ type: 'puback', packetId }));
    this.#retained = new RetainedFeed(parts, this);
    this.#commands = new CommandFeed(parts, this);
  }

  get protocol(): Protocol {
    return this.#connection.transport.protocol;
  }

  get address(): string {
    return this.#connection.transport.address;
  }

  /** So much waits to be kept that no more is to be read. */
  get isFull(): boolean {
    const { count, bytes } = this.#pending;
    return count >= pendingMax.count || bytes >= pendingMax.bytes || (count > 0 && this.#parts.ingest.isFull);
  }

  /** Whether the device reads what it is sent. */
  get isBehind(): boolean {
    return this.#connection.transport.buffered > pendingMax.bytes;
  }

  end(reason: DisconnectReason): void {
    this.#connection.end(reason);
  }

  /** After the connection ended. */
  finish(reason: DisconnectReason): void {
    this.#parts.devices.leave(this.device, this);
    if (this.number > 0) this.#parts.departures.left(this, reason);
  }

  publish(packet: PublishPacket): void {
    const { topic, payload, qos, retain } = packet;
    const prefix = prefixOf(this.device.id);
    if (!topic.startsWith(prefix)) {
      this.fault = `It published to ${topic.slice(0, 200)}.`;
      return this.end('TOPIC_FORBIDDEN');
    }
    const { packetId = 0 } = packet;
    const kept = qos === 1 ? this.#acks.add(packetId) : undefined;
    const name = topic.slice(prefix.length);
    this.#pend(1, payload.length);
    this.#parts.ingest
      .take(this.device, { topic: name, payload, qos, retain })
      .then(refusal => {
        if (refusal) this.#reject(name, refusal);
        // Nothing of it is kept, so that it may come again: there is no state to remember.
        if (qos === 2) this.#connection.write({ type: 'pubrec', packetId });
        kept?.();
      })
      .finally(() => {
        this.#pend(-1, -payload.length);
        this.#connection.work();
      });
  }

  subscribe({ packetId, subscriptions }: SubscribePacket): void {
    const added: string[] = [];
    const granted = subscriptions.map(({ filter, qos }): Granted => {
      const isFull = this.#subscriptions.size >= subscriptionsMax && !this.#subscriptions.has(filter);
      if (isFull || !maySubscribe(this.device.id, filter)) return 128;
      const most = qos === 0 ? 0 : 1;
      this.#subscriptions.set(filter, most);
      added.push(filter);
      return most;
    });
    this.#connection.write({ type: 'suback', packetId, granted });
    if (granted.includes(128)) this.#parts.notes.subscriptionRefused(this.device, subscriptions, granted);
    if (added.length === 0) return;
    const prefix = prefixOf(this.device.id);
    this.#retained.subscribed(topic => added.some(filter => topicMatches(filter, prefix + topic)));
    this.#commands.feed();
  }

  unsubscribe({ packetId, filters }: { packetId: number; filters: string[] }): void {
    for (const filter of filters) this.#subscriptions.delete(filter);
    this.#connection.write({ type: 'unsuback', packetId });
  }

  acknowledged(packetId: number): void {
    const acknowledged = this.#inFlight.get(packetId);
    this.#inFlight.delete(packetId);
    acknowledged?.();
  }

  drained(): void {
    this.#commands.feed();
    this.#retained.drained();
  }

  refresh(names: readonly RetainedName[]): void {
    this.#retained.refresh(names);
  }

  feed(): void {
    this.#commands.feed();
  }

  /** At which quality of service the device hears what is sent there; undefined: not at all. */
  hears(topic: string): 0 | 1 | undefined {
    const full = prefixOf(this.device.id) + topic;
    let most: 0 | 1 | undefined;
    for (const [filter, qos] of this.#subscriptions) {
      if (most !== 1 && topicMatches(filter, full)) most = qos;
    }
    return most;
  }

  /** Sends it if the device hears it; `acknowledged` is called once the device has it, at quality of service 1. */
  send(topic: string, payload: Uint8Array, { retain = false, acknowledged = () => {} } = {}): boolean {
    const qos = this.hears(topic);
    if (qos === undefined || this.#connection.isOver) return false;
    if (this.#inFlight.size >= inFlightMax) {
      this.end('SLOW');
      return false;
    }
    const packetId = qos === 1 ? this.#nextPacketId() : undefined;
    if (packetId !== undefined) this.#inFlight.set(packetId, acknowledged);
    const full = prefixOf(this.device.id) + topic;
    const ids = packetId === undefined ? {} : { packetId };
    const bytes = encodePacket({ type: 'publish', topic: full, payload, qos, retain, dup: false, ...ids });
    this.#parts.traffic.out(this.device.projectId, bytes.length);
    this.#connection.writeBytes(bytes);
    return true;
  }

  #reject(topic: string, { reason, message, faults }: Refusal): void {
    const frame = { topic, reason, message, ...(faults && { faults }) };
    this.send(topic === 'state' ? 'state/rejected' : 'rejected', json.encode(JSON.stringify(frame)));
  }

  #nextPacketId(): number {
    do {
      this.#packetId = (this.#packetId % packetIdMax) + 1;
    } while (this.#inFlight.has(this.#packetId));
    return this.#packetId;
  }

  #pend(count: number, bytes: number): void {
    this.#pending = { count: this.#pending.count + count, bytes: this.#pending.bytes + bytes };
  }
}
