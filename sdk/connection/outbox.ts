import { packetBytesMax } from '#contract/deviceWire.ts';
import type { Packet } from '#mqtt/mqttPacket.ts';
import type { Pace } from './pace.ts';
import { SendFault, type SendFaultReason } from './sendFault.ts';

/** So many wait for their acknowledgement at once. */
const inFlightMax = 20;
const packetIdMax = 0xffff;

export interface OutboxBounds {
  countMax: number;
  bytesMax: number;
}

/** A message on its way. */
export class Sending {
  readonly topic: string;
  payload: Uint8Array;
  packetId: number | undefined;
  /** Resolves when the platform has kept it. */
  readonly kept: Promise<void>;
  readonly done: () => void;
  readonly failed: (fault: SendFault) => void;

  constructor(topic: string, payload: Uint8Array) {
    this.topic = topic;
    this.payload = payload;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.kept = promise;
    this.done = resolve;
    this.failed = reject;
    // Whoever does not wait for it need not hear of it either.
    promise.catch(() => undefined);
  }

  static refused(reason: SendFaultReason): Sending {
    const sending = new Sending('', new Uint8Array());
    sending.failed(new SendFault(reason));
    return sending;
  }
}

/**
 * Messages until they are acknowledged, in their order. What was on its way when a connection broke is sent again on the
 * next, marked as sent before. Slower than what the gateway takes, so that it never has to hold back.
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

  /** An answer finds room where nothing else does: whoever asked waits for it, and asks once. */
  add(topic: string, payload: Uint8Array, isAnswer = false): Sending {
    const sending = new Sending(topic, payload);
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
    // The gateway would end the connection over it, again and again.
    if (isTooLarge(sending.topic, sending.payload)) return 'TOO_LARGE';
    const isFull = this.size >= share * countMax || this.#bytes + sending.payload.length > share * bytesMax;
    return isFull ? 'OUTBOX_FULL' : undefined;
  }

  /** Puts another payload in the place of one that was not yet sent. False: too late, or too large. */
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
    this.#waiting = [...this.#inFlight.values(), ...this.#waiting];
    this.#inFlight.clear();
  }

  acknowledged(packetId: number): void {
    const sending = this.#inFlight.get(packetId);
    if (!sending) return;
    this.#inFlight.delete(packetId);
    this.#bytes -= sending.payload.length;
    sending.done();
    this.#pump();
  }

  /** Nothing is sent any more. */
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

  /** One that no message on its way has, nor one that waits to be sent again. */
  #nextId(): number {
    const taken = new Set(this.#waiting.slice(0, inFlightMax).map(({ packetId }) => packetId));
    do this.#lastId = (this.#lastId % packetIdMax) + 1;
    while (this.#inFlight.has(this.#lastId) || taken.has(this.#lastId));
    return this.#lastId;
  }
}

/** With its header at its longest. */
function isTooLarge(topic: string, payload: Uint8Array): boolean {
  return payload.length + topic.length + 9 > packetBytesMax;
}
