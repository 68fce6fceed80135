import type { CommandFrame, DisconnectReason } from '#contract/deviceProtocol.ts';
import {
  encodePacket,
  type PublishPacket,
  type Qos,
  type SubscribePacket,
  type Will,
} from '#mqtt/mqttPacket.ts';
import { topicMatches } from '#mqtt/mqttTopic.ts';
import type { Refusal } from '#server/classes/frames/frames.ts';
import { prefixOf, type RetainedName } from '#server/classes/frames/topics.ts';
import { truncate } from '#server/classes/frames/truncate.ts';
import type { Credential } from '#server/devices/keys/credential.ts';
import type { ConnectedDevice } from '#server/devices/presence/connectedDevices.ts';
import type { Session, Waiting } from '#server/devices/presence/deviceSession.ts';
import type { Protocol } from '#server/devices/presence/pendingConnectionWrites.ts';
import { CommandFeed } from '#server/doors/gateway/down/commandFeed.ts';
import { RetainedFeed } from '#server/doors/gateway/down/retainedFeed.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';
import type { Message } from '#server/doors/gateway/up/ingest.ts';
import { AckLine } from './ackLine.ts';
import type { Connection } from './connection.ts';
import { InFlight } from './inFlight.ts';
import { Subscriptions } from './subscriptions.ts';

/** The most incoming messages waiting to be stored before reading is paused. */
const pendingMax = { count: 64, bytes: 256 * 1024 };
/** The most outgoing messages in flight. */
const inFlightMax = 1_000;
/**
 * End reasons after which the will is discarded: the device disconnected itself, is no longer authorized, or moved to
 * another home.
 */
const willless: ReadonlySet<DisconnectReason> = new Set([
  'CLOSED',
  'SUSPENDED',
  'DELETED',
  'RELEASED',
  'KEY_CHANGED',
  'KEY_EXPIRED',
]);

const json = new TextEncoder();

/** The MQTT session of an authenticated device. It ends with its connection; nothing is persisted. */
export class MqttSession implements Session {
  readonly device: ConnectedDevice;
  readonly clientId: string;
  readonly credential: Credential;
  number = 0;
  will: Will | undefined;
  /** Details of why the session ended. */
  fault: string | undefined;
  readonly #parts: GatewayParts;
  readonly #connection: Connection;
  readonly #subscriptions: Subscriptions;
  readonly #acks: AckLine;
  /** Messages at QoS 2 that the device has not released yet, by packet id. */
  readonly #received = new Map<number, { isStored: boolean }>();
  readonly #inFlight = new InFlight();
  readonly #retained: RetainedFeed;
  readonly #commands: CommandFeed;
  /** A log request is sent once per connection. */
  #askedForLog: string | undefined;
  #pendingCount = 0;
  #pendingBytes = 0;

  constructor(
    parts: GatewayParts,
    connection: Connection,
    given: { device: ConnectedDevice; clientId: string; credential: Credential; will: Will | undefined },
  ) {
    this.#parts = parts;
    this.#connection = connection;
    this.device = given.device;
    this.clientId = given.clientId;
    this.credential = given.credential;
    this.will = given.will;
    this.#subscriptions = new Subscriptions(given.device.id);
    this.#acks = new AckLine(packetId => connection.write({ type: 'puback', packetId }));
    this.#retained = new RetainedFeed(parts, this);
    this.#commands = new CommandFeed(parts, this);
  }

  get isOver(): boolean {
    return this.#connection.isOver;
  }

  get protocol(): Protocol {
    return this.#connection.transport.protocol;
  }

  get silentMs(): number {
    return this.#connection.silentMs;
  }

  get address(): string {
    return this.#connection.transport.address;
  }

  /** Too much is waiting to be stored, so reading is paused. */
  get isFull(): boolean {
    if (this.#pendingCount >= pendingMax.count || this.#pendingBytes >= pendingMax.bytes) return true;
    return this.#pendingCount > 0 && this.#parts.ingest.isFull;
  }

  /** Whether the device reads more slowly than it is sent messages. */
  get isBehind(): boolean {
    return this.#connection.transport.buffered > pendingMax.bytes;
  }

  end(reason: DisconnectReason): void {
    this.#connection.end(reason);
  }

  /** Called after the connection has ended. */
  finish(reason: DisconnectReason): void {
    this.#parts.devices.leave(this.device, this);
    if (this.number > 0) this.#parts.connectionRecord.left(this, reason);
    if (this.will && !willless.has(reason)) this.#publishWill(this.will);
  }

  publish(packet: PublishPacket): void {
    const { topic, payload, qos, packetId = 0 } = packet;
    const prefix = prefixOf(this.device.id);
    if (!topic.startsWith(prefix)) {
      this.fault = `The device published to ${truncate(topic, 200)}.`;
      this.#parts.notes.foreignTopic(this.device, topic);
      this.end('TOPIC_FORBIDDEN');
      return;
    }
    const answer = this.#answerTo(qos, packetId);
    if (!answer) return;
    this.#pend(1, payload.length);
    void this.#take({ topic: topic.slice(prefix.length), payload, qos }, answer);
  }

  /** Returns the function to call once the message is stored; undefined if the message is a repeat. */
  #answerTo(qos: Qos, packetId: number): (() => void) | undefined {
    if (qos === 0) return () => undefined;
    if (qos === 1) return this.#acks.add(packetId);
    // Until PUBREL, a packet with the same id is the same message ([MQTT-4.3.3-2]).
    const known = this.#received.get(packetId);
    if (known) {
      if (known.isStored) this.#connection.write({ type: 'pubrec', packetId });
      return undefined;
    }
    const received = { isStored: false };
    this.#received.set(packetId, received);
    return () => {
      received.isStored = true;
      this.#connection.write({ type: 'pubrec', packetId });
    };
  }

  /** A message at QoS 2 is complete. */
  released(packetId: number): void {
    this.#received.delete(packetId);
    this.#connection.write({ type: 'pubcomp', packetId });
  }

  async #take(message: Message, answer: () => void): Promise<void> {
    const { topic, payload } = message;
    try {
      const refusal = await this.#parts.ingest.take(this.device, message);
      if (refusal) this.#reject(topic, refusal);
      answer();
    } catch (error) {
      // Not acknowledged, so the device sends it again on its next connection.
      this.#parts.platform.log('error', 'A message was not stored', { topic, error: String(error) });
      this.end('LOST');
    }
    this.#pend(-1, -payload.length);
    this.#connection.work();
  }

  subscribe({ packetId, subscriptions }: SubscribePacket): void {
    const granted = subscriptions.map(({ filter, qos }) => this.#subscriptions.add(filter, qos));
    this.#connection.write({ type: 'suback', packetId, granted });
    if (granted.includes(128)) this.#parts.notes.subscriptionRefused(this.device, subscriptions, granted);
    // One packet can contain a thousand identical filters.
    const added = new Set(subscriptions.flatMap(({ filter }, at) => (granted[at] === 128 ? [] : filter)));
    if (added.size === 0) return;
    const prefix = prefixOf(this.device.id);
    const isMatched = (topic: string) => [...added].some(filter => topicMatches(filter, prefix + topic));
    this.#retained.subscribed(isMatched);
    this.#commands.feed();
    this.askForLog();
  }

  unsubscribe({ packetId, filters }: { packetId: number; filters: string[] }): void {
    for (const filter of filters) this.#subscriptions.remove(filter);
    this.#connection.write({ type: 'unsuback', packetId });
  }

  acknowledged(packetId: number): void {
    this.#inFlight.acknowledged(packetId);
  }

  drained(): void {
    this.#commands.roomed();
    this.#retained.drained();
  }

  refresh(names: readonly RetainedName[]): void {
    this.#retained.refresh(names);
  }

  command(name: string, frame: CommandFrame, isSent: boolean): void {
    this.#commands.command(name, frame, isSent);
  }

  commandsWaiting(waiting: readonly Waiting[], askedMs: number): void {
    this.#commands.waiting(waiting, askedMs);
  }

  askForLog(): void {
    if (this.hears('logRequests/any') === undefined) return;
    const { device } = this;
    this.#parts
      .logRequestOf(device)
      .then(frame => {
        if (!frame || this.#askedForLog === frame.id) return;
        this.#askedForLog = frame.id;
        this.send(`logRequests/${frame.id}`, json.encode(JSON.stringify(frame)));
      })
      .catch(error =>
        this.#parts.platform.log('warn', 'A log request is waiting for the database', {
          error: String(error),
        }),
      );
  }

  /** The QoS of the device's subscription to the topic; undefined if it has none. */
  hears(topic: string): 0 | 1 | undefined {
    return this.#subscriptions.hears(topic);
  }

  /** Sends a message if the device subscribes to its topic; at QoS 1, `acknowledged` is called on PUBACK. */
  send(topic: string, payload: Uint8Array, { retain = false, acknowledged = () => {} } = {}): boolean {
    const qos = this.hears(topic);
    if (qos === undefined || this.#connection.isOver) return false;
    if (this.#inFlight.size >= inFlightMax) {
      this.end('SLOW');
      return false;
    }
    const full = prefixOf(this.device.id) + topic;
    const ids = qos === 1 ? { packetId: this.#inFlight.add(acknowledged) } : {};
    const bytes = encodePacket({ type: 'publish', topic: full, payload, qos, retain, dup: false, ...ids });
    this.#parts.traffic.out(this.device, bytes.length);
    this.#connection.writeBytes(bytes);
    return true;
  }

  /** Processes the will as a message of the device, ignoring its QoS and retain flag. */
  #publishWill({ topic, payload }: Will): void {
    const message = {
      topic: topic.slice(prefixOf(this.device.id).length),
      payload,
      qos: 1 as const,
    };
    this.#parts.ingest
      .take(this.device, message)
      .catch(error => this.#parts.platform.log('error', 'A will was not stored', { error: String(error) }));
  }

  #reject(topic: string, { reason, message, faults }: Refusal): void {
    const frame = { topic, reason, message, ...(faults && { faults }) };
    this.send(topic === 'state' ? 'state/rejected' : 'rejected', json.encode(JSON.stringify(frame)));
  }

  #pend(count: number, bytes: number): void {
    this.#pendingCount += count;
    this.#pendingBytes += bytes;
  }
}
