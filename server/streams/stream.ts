import { streamBounds } from '#contract/appApi/stream.ts';
import { allEvents } from '#rules/subscribedEvents.ts';
import type { Cursor } from '#server/homeEvents/eventCursor.ts';
import type { HomeEvent } from '#server/homeEvents/readHomeEvents.ts';
import type { Outlet } from '#server/http/eventStream.ts';
import type { Frame } from '#server/http/frame.ts';
import { signal } from './eventFrame.ts';
import type { Listener } from './streamTickets.ts';

export interface StreamAsked extends Listener {
  subscribedEvents: readonly string[];
  /** The stream is of this home alone. */
  onlyHome: string | undefined;
  /** Where it goes on; absent: from here on. */
  after: Cursor | undefined;
  /** What it was asked to go on after is not to be had. */
  isReset: boolean;
}

let opened = 0;

/** One open event stream. */
export class Stream {
  readonly listener: Listener;
  readonly onlyHome: string | undefined;
  readonly homes = new Set<string>();
  /** Spreads the beats of all streams over time. */
  readonly slot = opened++;
  /** What it is told live begins with this transaction; undefined while its past is read. */
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

  /** It was asked for one home, and its user is no member of it any more. */
  get hasLostItsHome(): boolean {
    return this.onlyHome !== undefined && this.homes.size === 0;
  }

  get waitingBytes(): number {
    return this.#outlet.waitingBytes;
  }

  /** Which events it wants, whatever their case. */
  subscribe(names: readonly string[]): void {
    const all = names.length === 1 && names[0] === allEvents;
    this.#subscribed = all ? undefined : new Set(names.map(name => name.toLowerCase()));
  }

  wants({ type, name, homeId, userId }: HomeEvent): boolean {
    if (userId !== null && userId !== this.listener.userId) return false;
    if (this.onlyHome !== undefined && homeId !== this.onlyHome) return false;
    return type !== 'event' || this.#subscribed?.has(name.toLowerCase()) !== false;
  }

  /** A reader who is too far behind is told so, and comes back for the rest: nothing is left out in silence. */
  tell(frame: Frame): void {
    if (this.#isOver) return;
    const { waitingBytes } = this.#outlet;
    const isFull = waitingBytes > 0 && waitingBytes + frame.sse.length > streamBounds.bufferBytes;
    if (isFull) this.end('lagging');
    else this.#outlet.write(frame);
  }

  end(why?: 'lagging' | 'ended'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (why) this.#outlet.write(signal(why));
    this.#outlet.end();
  }

  /** The reader left. */
  left(): void {
    this.#isOver = true;
  }
}
