import { streamLimits } from '#rules/apps/streamLimits.ts';
import { allEvents } from '#rules/apps/subscribedEvents.ts';
import type { Outlet } from '#server/api/http/eventStream.ts';
import type { Frame } from '#server/api/http/frame.ts';
import type { Cursor } from '#server/people/homeEvents/eventCursor.ts';
import type { HomeEvent } from '#server/people/homeEvents/readHomeEvents.ts';
import { signal } from './eventFrame.ts';
import type { Listener } from './streamTickets.ts';

export interface StreamAsked extends Listener {
  subscribedEvents: readonly string[];
  /** Limits the stream to this home. */
  onlyHome: string | undefined;
  /** Where the stream resumes; absent to start now. */
  after: Cursor | undefined;
  /** The position to resume from is not available. */
  isReset: boolean;
}

let opened = 0;

/** One open event stream. */
export class Stream {
  readonly listener: Listener;
  readonly onlyHome: string | undefined;
  readonly homes = new Set<string>();
  /** Spreads the heartbeats of all streams over time. */
  readonly slot = opened++;
  /** The transaction from which the stream is live; undefined while its past is read. */
  liveFrom: bigint | undefined;
  readonly #outlet: Outlet;
  #subscribed: ReadonlySet<string> | undefined;
  #isOver = false;

  constructor({ onlyHome, subscribedEvents, ...listener }: StreamAsked, outlet: Outlet) {
    const { projectId, appId, userId, sessionId } = listener;
    this.listener = { projectId, appId, userId, sessionId };
    this.onlyHome = onlyHome;
    this.#outlet = outlet;
    this.subscribe(subscribedEvents);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The stream was opened for one home, of which its user is no longer a member. */
  get hasLostItsHome(): boolean {
    return this.onlyHome !== undefined && this.homes.size === 0;
  }

  get waitingBytes(): number {
    return this.#outlet.waitingBytes;
  }

  /** Sets the subscribed event names, regardless of case. */
  subscribe(names: readonly string[]): void {
    const all = names.length === 1 && names[0] === allEvents;
    this.#subscribed = all ? undefined : new Set(names.map(name => name.toLowerCase()));
  }

  wants({ type, name, homeId, userId }: HomeEvent): boolean {
    if (userId !== null && userId !== this.listener.userId) return false;
    if (this.onlyHome !== undefined && homeId !== this.onlyHome) return false;
    return type !== 'event' || this.#subscribed?.has(name.toLowerCase()) !== false;
  }

  /** Ends a stream that lags too far behind, so that its client resumes: events are never skipped silently. */
  send(frame: Frame): void {
    if (this.#isOver) return;
    const { waitingBytes } = this.#outlet;
    const isFull = waitingBytes > 0 && waitingBytes + frame.sse.length > streamLimits.bufferBytes;
    if (isFull) this.end('lagging');
    else this.#outlet.write(frame);
  }

  end(why?: 'lagging' | 'ended'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (why) this.#outlet.write(signal(why));
    this.#outlet.end();
  }

  /** Called when the reader has left. */
  left(): void {
    this.#isOver = true;
  }
}
