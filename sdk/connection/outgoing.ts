import { type TopicName, topicOf } from '#contract/deviceWire.ts';
import type { Packet } from '#mqtt/mqttPacket.ts';
import { messageBurst, messagesPerS } from '#rules/devices/gatewayLimits.ts';
import { composePatches } from '#sdk/composePatches.ts';
import type { Rejected } from '#sdk/frames.ts';
import { decodeJson, encodeJson, type JsonObject } from '#sdk/json.ts';
import { type LogLevel, logLevels } from '#sdk/logLevels.ts';
import { shortText } from '#sdk/shortText.ts';
import { Outbox, type OutboxBounds, Sending } from './outbox.ts';
import { Pace, type Rate } from './pace.ts';

const bounds = { countMax: 1000, bytesMax: 4 * 1024 ** 2 };
/** Slightly slower than the default rate limit of a project. */
const usualRate = { perS: messagesPerS * 0.9, burst: messageBurst * 0.8 };
/** The part of the burst that the live log leaves for stored messages. */
const logReserve = 20;
const logTextMax = 4000;

/** Messages from a device. */
export class Outgoing {
  readonly #deviceId: string;
  readonly #pace: Pace;
  readonly #outbox: Outbox;
  /** Set while the device is connected. */
  #send: ((packet: Packet) => void) | undefined;
  /** The latest state report, which may still be waiting. */
  #state: { patch: JsonObject; sending: Sending } | undefined;

  constructor(deviceId: string, given: { outbox?: Partial<OutboxBounds>; rate?: Rate }) {
    this.#deviceId = deviceId;
    this.#pace = new Pace(given.rate ?? usualRate);
    this.#outbox = new Outbox({ ...bounds, ...given.outbox }, this.#pace);
  }

  get waiting(): number {
    return this.#outbox.size;
  }

  open(send: (packet: Packet) => void): void {
    this.#send = send;
    this.#outbox.open(send);
  }

  pause(): void {
    this.#send = undefined;
    this.#outbox.pause();
  }

  /** The rate limit of the project is lower than assumed. */
  slowDown(): void {
    this.#pace.halve();
  }

  close(): void {
    this.#outbox.close();
  }

  acknowledged(packetId: number): void {
    this.#outbox.acknowledged(packetId);
  }

  /** `topic` has no device prefix. */
  rejected({ topic, message }: Rejected): void {
    this.#outbox.rejected(`d/${this.#deviceId}/${topic}`, message);
  }

  /** Acknowledges a received message, regardless of how it is handled. */
  acknowledge(packetId: number): void {
    this.#send?.({ type: 'puback', packetId });
  }

  publish(name: TopicName, values: string[], frame: unknown, isAnswer = false): Sending {
    const payload = encodeJson(frame);
    if (!payload) return Sending.refused('NOT_JSON');
    return this.#outbox.add(topicOf(this.#deviceId, name, ...values), payload, isAnswer);
  }

  /** Merges waiting reports into one. */
  reportState(given: JsonObject): Sending {
    const payload = encodeJson(given);
    if (!payload) return Sending.refused('NOT_JSON');
    // As it is now: the caller may change the object while the report waits.
    const patch = decodeJson(payload) as JsonObject;
    const before = this.#state;
    const both = before && composePatches(before.patch, patch);
    const merged = both && encodeJson(both);
    if (before && both && merged && this.#outbox.replace(before.sending, merged)) {
      before.patch = both;
      return before.sending;
    }
    const sending = this.#outbox.add(topicOf(this.#deviceId, 'state'), payload);
    this.#state = { patch, sending };
    return sending;
  }

  /** Not stored: dropped while there is no connection or no room. */
  log(level: LogLevel, text: string): void {
    if (!this.#send || !this.#pace.take(logReserve)) return;
    const line = {
      ts: new Date().toISOString(),
      level: logLevels.indexOf(level),
      text: shortText(text, logTextMax),
    };
    const payload = encodeJson(line) ?? new Uint8Array();
    const topic = topicOf(this.#deviceId, 'log');
    this.#send({ type: 'publish', topic, payload, qos: 0, retain: false, dup: false });
  }
}
