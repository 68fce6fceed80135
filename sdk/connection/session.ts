import type { Packet } from '#mqtt/mqttPacket.ts';
import { backoffMs } from './backoff.ts';
import { type EndReason, endSentence, isStanding } from './ends.ts';
import { Link, type LinkOptions } from './link.ts';
import { Kept } from './listeners.ts';

/** The status of the connection. */
export type Status =
  | { state: 'connecting' }
  | { state: 'connected'; since: Date }
  /** The connection failed or broke, and is retried at `retryAt`. */
  | { state: 'waiting'; reason: EndReason; text: string; retryAt: Date }
  /** Disconnected on request; messages wait in the meantime. */
  | { state: 'offline' }
  /** Closed permanently. */
  | { state: 'closed' };

interface SessionEvents {
  opened(send: (packet: Packet) => void): void;
  received(packet: Packet): void;
  /** An open connection ended. Without a reason: it was closed here. */
  broken(reason?: EndReason): void;
}

/** A connection must stay open this long before earlier failures are forgotten. */
const soundAfterMs = 10_000;

/** Keeps a device connected; after each failure it waits longer before it retries. */
export class Session {
  readonly status = new Kept<Status>();
  readonly #options: LinkOptions;
  readonly #events: SessionEvents;
  #link: Link | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(options: LinkOptions, events: SessionEvents) {
    this.#options = options;
    this.#events = events;
    this.#try();
  }

  /** Connects at once instead of waiting for the next attempt. */
  connect(): void {
    const state = this.status.latest?.state;
    if (state === 'offline' || state === 'waiting') this.#try();
  }

  disconnect(abruptly: boolean): void {
    if (this.status.latest?.state !== 'closed') this.#stop({ state: 'offline' }, abruptly);
  }

  close(): void {
    this.#stop({ state: 'closed' }, false);
  }

  #stop(status: Status, abruptly: boolean): void {
    const wasConnected = this.status.latest?.state === 'connected';
    const link = this.#link;
    this.#link = undefined;
    clearTimeout(this.#timer);
    link?.close(abruptly);
    if (wasConnected) this.#events.broken();
    this.status.emit(status);
  }

  #try(): void {
    clearTimeout(this.#timer);
    const link: Link = new Link(this.#options, {
      opened: () => this.#link === link && this.#opened(link),
      received: packet => this.#link === link && this.#events.received(packet),
      ended: reason => this.#link === link && this.#ended(reason),
    });
    this.#link = link;
    this.status.emit({ state: 'connecting' });
  }

  #opened(link: Link): void {
    this.#timer = setTimeout(() => {
      this.#failures = 0;
    }, soundAfterMs);
    this.status.emit({ state: 'connected', since: new Date() });
    // A listener may have disconnected at once.
    if (this.#link === link) this.#events.opened(packet => link.send(packet));
  }

  #ended(reason: EndReason): void {
    const wasConnected = this.status.latest?.state === 'connected';
    this.#link = undefined;
    clearTimeout(this.#timer);
    this.#failures += 1;
    if (wasConnected) this.#events.broken(reason);
    const waitMs = backoffMs(this.#failures, isStanding(reason));
    this.#timer = setTimeout(() => this.#try(), waitMs);
    const retryAt = new Date(Date.now() + waitMs);
    this.status.emit({ state: 'waiting', reason, text: endSentence(reason), retryAt });
  }
}
