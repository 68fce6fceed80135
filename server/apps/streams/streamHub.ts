import { setImmediate as immediately, setTimeout as pause } from 'node:timers/promises';
import type { Outlet } from '#server/api/http/eventStream.ts';
import type { Frame } from '#server/api/http/frame.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Cursor, cursorText } from '#server/people/homeEvents/eventCursor.ts';
import {
  databaseNow,
  type HomeEvent,
  newestCursor,
  readNext,
} from '#server/people/homeEvents/readHomeEvents.ts';
import { onUserSessionsChanged } from '#server/people/sessions/userNotices.ts';
import { Beats } from './beats.ts';
import { endThoseWithoutSession } from './endedSessions.ts';
import { frameOf, signal } from './eventFrame.ts';
import { HomesOfStreams } from './homesOfStreams.ts';
import { HomeViews } from './homeViews.ts';
import { openStreamsHere, openStreamsKey } from './openStreams.ts';
import { replay } from './replay.ts';
import { Stream, type StreamAsked } from './stream.ts';
import { StreamIndex } from './streamIndex.ts';
import { withoutOldStates } from './withoutOldStates.ts';

/** Page size, where each row may have 128 KiB, and the pauses between reads while idle, busy and after a failure. */
const reading = {
  max: 250,
  idleMs: 25,
  busyMs: 5,
  failedMs: 500,
  /** After sending this much, prompt readers get time to read, so that a burst does not make them lag. */
  breathBytes: 64 * 1024,
};

/** All event streams of this process, served by one reader of events. */
export class StreamHub {
  readonly #platform: Platform;
  readonly #views: HomeViews;
  readonly #index = new StreamIndex();
  readonly #homes: HomesOfStreams;
  readonly #beats: Beats;
  /** Streams that wait for the next page to be requested. */
  #newcomers: (() => void)[] = [];
  #cursor: Promise<Cursor> | undefined;
  /** How far all streams have been served; during a page, the position within its window. */
  #position: Cursor = { from: 0n, to: 0n, seq: 0n, atS: 0 };
  #cluster = '';
  #forgetSessions: (() => void) | undefined;
  #isStopped = false;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#views = new HomeViews(platform.db);
    this.#homes = new HomesOfStreams(platform.db, { views: this.#views, index: this.#index });
    this.#beats = new Beats(platform, {
      streams: () => this.#index.all,
      views: this.#views,
      beat: stream => this.#beatFor(stream),
    });
  }

  countOf(userId: string): number {
    return this.#index.ofUser(userId).size;
  }

  get count(): number {
    return this.#index.all.size;
  }

  open(asked: StreamAsked, outlet: Outlet): void {
    const stream = new Stream(asked, outlet);
    if (this.#isStopped) {
      stream.end();
      return;
    }
    const key = openStreamsKey(asked.projectId, asked.appId);
    this.#index.add(stream);
    openStreamsHere(this.#platform).add(key, 1);
    outlet.onClosed(() => {
      stream.left();
      openStreamsHere(this.#platform).add(key, -1);
      this.#homes.leave(stream);
    });
    this.#begin(stream, asked).catch(error => {
      this.#platform.log('warn', 'An event stream could not be opened', { error: String(error) });
      stream.end();
    });
  }

  /** Ends all streams, so that shutdown does not wait for readers; they reconnect to another process. */
  stop(): void {
    this.#isStopped = true;
    for (const stream of this.#index.all) stream.end();
    void this.#homes.stop();
    void this.#views.stop();
  }

  async #begin(stream: Stream, { after, isReset }: StreamAsked): Promise<void> {
    await this.#started();
    await this.#homes.read([stream]);
    // The page that is being read may have been requested without the project of this stream.
    await new Promise<void>(resolve => this.#newcomers.push(resolve));
    if (stream.isOver) return;
    // Another process may be slightly ahead of this one.
    while (after && after.to > this.#position.to && !stream.isOver) await pause(reading.busyMs);
    const begin = after ?? { ...this.#position, from: this.#position.to, seq: 0n };
    if (isReset) stream.send(signal('reset'));
    stream.send(signal('opened', cursorText(begin, this.#cluster)));
    await this.#catchUp(stream, begin);
  }

  /** Reads the past of a stream until it has caught up with the others; then the stream is live. */
  async #catchUp(stream: Stream, { from, to, seq, atS }: Cursor): Promise<void> {
    const { db, clock } = this.#platform;
    const past = {
      db,
      cluster: this.#cluster,
      maySee: (event: HomeEvent) => this.#views.maySee(event, stream.listener.userId, clock()),
    };
    if (from < to) await replay(stream, { from, to, seq }, { sinceS: atS, nowS: this.#position.atS }, past);
    for (let done = to; !stream.isOver; ) {
      const { to: bound, atS: nowS } = this.#position;
      if (done === bound) {
        stream.liveFrom = bound;
        return;
      }
      await replay(stream, { from: done, to: bound, seq: 0n }, { sinceS: atS, nowS }, past);
      done = bound;
    }
  }

  #started(): Promise<Cursor> {
    this.#cursor ??= this.#start().catch(error => {
      this.#cursor = undefined;
      throw error;
    });
    return this.#cursor;
  }

  async #start(): Promise<Cursor> {
    const { db } = this.#platform;
    this.#cluster = (await databaseNow(db)).cluster;
    this.#position = await newestCursor(db);
    this.#forgetSessions ??= onUserSessionsChanged(this.#platform, ({ userId }) => {
      void endThoseWithoutSession(this.#platform, [...this.#index.ofUser(userId)]);
    });
    this.#beats.start();
    void this.#readOn();
    return this.#position;
  }

  /** Reads while streams are open. The next stream to open starts it again. */
  async #readOn(): Promise<void> {
    let hasFailed = false;
    while (this.#index.all.size > 0 && !this.#isStopped) {
      try {
        const told = await this.#readOnce();
        hasFailed = false;
        await pause(told > 0 ? reading.busyMs : reading.idleMs);
      } catch (error) {
        if (!hasFailed)
          this.#platform.log('warn', 'Event streams wait for the database', { error: String(error) });
        hasFailed = true;
        await pause(reading.failedMs);
      }
    }
    this.#cursor = undefined;
    this.#letIn();
    this.#beats.stop();
    this.#forgetSessions?.();
    this.#forgetSessions = undefined;
  }

  async #readOnce(): Promise<number> {
    const { projectIds } = this.#index;
    this.#letIn();
    const { rows, window, cursor } = await readNext(this.#platform.db, this.#position, {
      projectIds,
      max: reading.max,
    });
    const moved = await this.#readRightsAnew(rows);
    let toldBytes = 0;
    for (const row of withoutOldStates(rows)) {
      toldBytes += this.#send(row, window);
      if (toldBytes < reading.breathBytes) continue;
      // Streams that open meanwhile read the whole window themselves.
      this.#position = { ...window, seq: BigInt(row.seq) };
      await immediately();
      toldBytes = 0;
    }
    this.#position = cursor;
    for (const stream of moved) if (stream.hasLostItsHome) stream.end('ended');
    return rows.length;
  }

  #letIn(): void {
    const newcomers = this.#newcomers;
    this.#newcomers = [];
    for (const letIn of newcomers) letIn();
  }

  /**
   * Updates rights before any event is sent, so that current rights apply, even to events from before a change. Returns
   * the streams whose users joined or left a home.
   */
  async #readRightsAnew(rows: readonly HomeEvent[]): Promise<Stream[]> {
    const changes = rows.filter(({ type }) => type === 'device' || type === 'home' || type === 'membership');
    const members = changes.flatMap(({ type, userId }) => (type === 'membership' && userId ? [userId] : []));
    const streams = [...new Set(members)].flatMap(userId => [...this.#index.ofUser(userId)]);
    await this.#homes.read(streams);
    await this.#views.read([...new Set(changes.map(({ homeId }) => homeId))]);
    return streams;
  }

  /** Returns the size of the frame. */
  #send(row: HomeEvent, window: Cursor): number {
    const streams = row.userId === null ? this.#index.ofHome(row.homeId) : this.#index.ofUser(row.userId);
    if (streams.size === 0) return 0;
    const now = this.#platform.clock();
    let frame: Frame | undefined;
    for (const stream of streams) {
      // If the window began before the stream was live, the stream reads all of the window itself.
      if (stream.liveFrom === undefined || stream.liveFrom > window.from || !stream.wants(row)) continue;
      if (row.userId === null && !this.#views.maySee(row, stream.listener.userId, now)) continue;
      frame ??= frameOf(row, cursorText({ ...window, seq: BigInt(row.seq) }, this.#cluster));
      if (!frame) return 0;
      stream.send(frame);
    }
    return frame?.sse.length ?? 0;
  }

  /** Between two windows, a heartbeat contains the cursor, so that a quiet stream can resume there as well. */
  #beatFor({ liveFrom }: Stream): Frame {
    const { from, to } = this.#position;
    const isThere = liveFrom !== undefined && from === to && liveFrom <= to;
    return signal('beat', isThere ? cursorText(this.#position, this.#cluster) : undefined);
  }
}
