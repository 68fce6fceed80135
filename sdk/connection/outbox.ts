import type { Packet } from '#mqtt/mqttPacket.ts';
import { packetBytesMax } from '#rules/devices/gatewayLimits.ts';
import type { Pace } from './pace.ts';
import { SendFault, type SendFaultReason } from './sendFault.ts';

/** The maximum number of messages that wait for an acknowledgement. */
const inFlightMax = 20;
const packetIdMax = 0xffff;

export interface OutboxBounds {
  countMax: number;
  bytesMax: number;
}

/** A message that is being sent. */
export class Sending {
  readonly topic: string;
  /** True: the topic belongs to this message alone. */
  readonly isAnswer: boolean;
  payload: Uint8Array;
  packetId: number | undefined;
  /** Why the platform rejected the message, which it acknowledges all the same. */
  rejection: string | undefined;
  /** Resolves when the platform has stored the message. */
  readonly kept: Promise<void>;
  readonly done: () => void;
  readonly failed: (fault: SendFault) => void;

  constructor(topic: string, payload: Uint8Array, isAnswer = false) {
    this.topic = topic;
    this.isAnswer = isAnswer;
    this.payload = payload;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.kept = promise;
    this.done = resolve;
    this.failed = reject;
    // If nobody awaits the promise, its rejection must not be reported as unhandled.
    promise.catch(() => undefined);
  }

  static refused(reason: SendFaultReason): Sending {
    const sending = new Sending('', new Uint8Array());
    sending.failed(new SendFault(reason));
    return sending;
  }
}

/**
 * Keeps messages in order until they are acknowledged. Messages in flight when a connection breaks are sent again on
 * the next one, marked as duplicates. Sends more slowly than the gateway's rate limit, so that the gateway never has to
 * throttle.
 */
export class Outbox {
  readonly #bounds: OutboxBounds;
  readonly #pace: Pace;
  #waiting: Sending[] = [];
  readonly #inFlight = new Map<number, Sending>();
  #bytes = 0;
  #lastId = 0;
  #send: ((packet: Packet) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(bounds: OutboxBounds, pace: Pace) {
    this.#bounds = bounds;
    this.#pace = pace;
  }

  get size(): number {
    return this.#waiting.length + this.#inFlight.size;
  }

  /** Answers have room even if the outbox is full, because the caller waits for the answer and asks only once. */
  add(topic: string, payload: Uint8Array, isAnswer = false): Sending {
    const sending = new Sending(topic, payload, isAnswer);
    const fault = this.#faultOf(sending, isAnswer ? 2 : 1);
    if (fault) sending.failed(new SendFault(fault));
    else {
      this.#waiting.push(sending);
      this.#bytes += payload.length;
      this.#pump();
    }
    return sending;
  }

  #faultOf(sending: Sending, share: number): SendFaultReason | undefined {
    const { countMax, bytesMax } = this.#bounds;
    if (this.#isClosed) return 'CLOSED';
    // The gateway would close the connection because of it, over and over.
    if (isTooLarge(sending.topic, sending.payload)) return 'TOO_LARGE';
    const isFull = this.size >= share * countMax || this.#bytes + sending.payload.length > share * bytesMax;
    return isFull ? 'OUTBOX_FULL' : undefined;
  }

  /** Replaces the payload of a message that was not sent yet. False: already sent, or the new payload is too large. */
  replace(sending: Sending, payload: Uint8Array): boolean {
    if (sending.packetId !== undefined || !this.#waiting.includes(sending)) return false;
    if (isTooLarge(sending.topic, payload)) return false;
    this.#bytes += payload.length - sending.payload.length;
    sending.payload = payload;
    return true;
  }

  open(send: (packet: Packet) => void): void {
    this.#send = send;
    this.#pump();
  }

  pause(): void {
    this.#send = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The rejection of a message comes again when it is sent again.
    for (const sending of this.#inFlight.values()) sending.rejection = undefined;
    this.#waiting = [...this.#inFlight.values(), ...this.#waiting];
    this.#inFlight.clear();
  }

  acknowledged(packetId: number): void {
    const sending = this.#inFlight.get(packetId);
    if (!sending) return;
    this.#inFlight.delete(packetId);
    this.#bytes -= sending.payload.length;
    if (sending.rejection === undefined) sending.done();
    else sending.failed(new SendFault('REJECTED', sending.rejection));
    this.#pump();
  }

  /**
   * The platform rejected a message to this topic, and says so before it acknowledges it. Only an answer fails by this,
   * because its topic belongs to no other message.
   */
  rejected(topic: string, text: string): void {
    for (const sending of this.#inFlight.values())
      if (sending.isAnswer && sending.topic === topic) sending.rejection = text;
  }

  /** Stops sending; waiting messages fail. */
  close(): void {
    this.pause();
    this.#isClosed = true;
    for (const sending of this.#waiting.splice(0)) sending.failed(new SendFault('CLOSED'));
  }

  #pump(): void {
    while (this.#send && this.#timer === undefined && this.#inFlight.size < inFlightMax) {
      const [next] = this.#waiting;
      if (!next) return;
      if (!this.#pace.take()) {
        this.#pumpLater();
        return;
      }
      this.#waiting.shift();
      this.#dispatch(next, this.#send);
    }
  }

  #pumpLater(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#pump();
    }, this.#pace.waitMs);
  }

  #dispatch(sending: Sending, send: (packet: Packet) => void): void {
    const dup = sending.packetId !== undefined;
    const packetId = sending.packetId ?? this.#nextId();
    sending.packetId = packetId;
    this.#inFlight.set(packetId, sending);
    const { topic, payload } = sending;
    send({ type: 'publish', topic, payload, qos: 1, retain: false, dup, packetId });
  }

  /** A packet id that is used neither by a message in flight nor by one that waits to be sent again. */
  #nextId(): number {
    const taken = new Set(this.#waiting.slice(0, inFlightMax).map(({ packetId }) => packetId));
    do this.#lastId = (this.#lastId % packetIdMax) + 1;
    while (this.#inFlight.has(this.#lastId) || taken.has(this.#lastId));
    return this.#lastId;
  }
}

/** Assumes the longest possible header. */
function isTooLarge(topic: string, payload: Uint8Array): boolean {
  return payload.length + topic.length + 9 > packetBytesMax;
}
