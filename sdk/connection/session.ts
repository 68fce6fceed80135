import type { Packet } from '#mqtt/mqttPacket.ts';
import { backoffMs } from './backoff.ts';
import { type EndReason, endSentence, isStanding } from './ends.ts';
import { Link, type LinkOptions } from './link.ts';
import { Kept } from './listeners.ts';

/** How things stand with the connection. */
export type Status =
  | { state: 'connecting' }
  | { state: 'connected'; since: Date }
  /** It failed or broke, and is tried again then. */
  | { state: 'waiting'; reason: EndReason; text: string; retryAt: Date }
  /** Off because it was told to be; what is sent meanwhile waits. */
  | { state: 'offline' }
  /** For good. */
  | { state: 'closed' };

interface SessionEvents {
  opened(send: (packet: Packet) => void): void;
  received(packet: Packet): void;
  /** The connection that was open is no more; without a reason it was closed here. */
  broken(reason?: EndReason): void;
}

/** So long a connection has to hold before what failed earlier is forgotten. */
const soundAfterMs = 10_000;

/** Keeps a device connected: after each end it waits a little longer before it tries again. */
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

  /** At once, however long it would have waited. */
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
    this.status.tell(status);
  }

  #try(): void {
    clearTimeout(this.#timer);
    const link: Link = new Link(this.#options, {
      opened: () => this.#link === link && this.#opened(link),
      received: packet => this.#link === link && this.#events.received(packet),
      ended: reason => this.#link === link && this.#ended(reason),
    });
    this.#link = link;
    this.status.tell({ state: 'connecting' });
  }

  #opened(link: Link): void {
    this.#timer = setTimeout(() => {
      this.#failures = 0;
    }, soundAfterMs);
    this.status.tell({ state: 'connected', since: new Date() });
    // Whoever heard of it may have gone offline at once.
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
    this.status.tell({ state: 'waiting', reason, text: endSentence(reason), retryAt });
  }
}
