import { setImmediate as immediately, setTimeout as pause } from 'node:timers/promises';
import { type Cursor, cursorText } from '#server/homeEvents/eventCursor.ts';
import { databaseNow, type HomeEvent, newestCursor, readNext } from '#server/homeEvents/readHomeEvents.ts';
import type { Outlet } from '#server/http/eventStream.ts';
import type { Frame } from '#server/http/frame.ts';
import type { Platform } from '#server/platform.ts';
import { onUserSessionsChanged } from '#server/userSessions/userNotices.ts';
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

/** Rows a page, each of which may be 128 KiB; so often it is looked for more while nothing happens, and while something does. */
const reading = {
  ...{ max: 250, idleMs: 25, busyMs: 5, failedMs: 500 },
  /** After so much a prompt reader is given the time to take it: nobody lags for what came at once. */
  breathBytes: 64 * 1024,
};

/** All event streams of this process: one reader of what happens tells them all. */
export class StreamHub {
  readonly #platform: Platform;
  readonly #views: HomeViews;
  readonly #index = new StreamIndex();
  readonly #homes: HomesOfStreams;
  readonly #beats: Beats;
  /** Who waits until the next page is asked for. */
  #newcomers: (() => void)[] = [];
  #cursor: Promise<Cursor> | undefined;
  /** How far all streams have been told; its window is what they are being told. */
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

  /** Ends all, so that shutdown does not wait for readers; they come back to another process. */
  stop(): void {
    this.#isStopped = true;
    for (const stream of this.#index.all) stream.end();
    void this.#homes.stop();
    void this.#views.stop();
  }

  async #begin(stream: Stream, { after, isReset }: StreamAsked): Promise<void> {
    await this.#started();
    await this.#homes.read([stream]);
    // A page that is under way may have been asked for without its project.
    await new Promise<void>(resolve => this.#newcomers.push(resolve));
    if (stream.isOver) return;
    // Another process may be a moment ahead of this one.
    while (after && after.to > this.#position.to && !stream.isOver) await pause(reading.busyMs);
    const begin = after ?? { ...this.#position, from: this.#position.to, seq: 0n };
    if (isReset) stream.tell(signal('reset'));
    stream.tell(signal('opened', cursorText(begin, this.#cluster)));
    await this.#catchUp(stream, begin);
  }

  /** Reads its past up to where the others are, as often as they have gone on meanwhile; then it is one of them. */
  async #catchUp(stream: Stream, { from, to, seq, atS }: Cursor): Promise<void> {
    const { db, clock } = this.#platform;
    const past = {
      ...{ db, cluster: this.#cluster },
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

  /** While streams are open. Who opens the next one starts it anew. */
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
      toldBytes += this.#tell(row, window);
      if (toldBytes < reading.breathBytes) continue;
      // Who comes meanwhile reads the whole window by themselves.
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
   * Before anything is told: rights are those of now, also of what happened while somebody still had others. Returns the
   * streams whose users came to a home or left one.
   */
  async #readRightsAnew(rows: readonly HomeEvent[]): Promise<Stream[]> {
    const changes = rows.filter(({ type }) => type === 'device' || type === 'home' || type === 'membership');
    const members = changes.flatMap(({ type, userId }) => (type === 'membership' && userId ? [userId] : []));
    const streams = [...new Set(members)].flatMap(userId => [...this.#index.ofUser(userId)]);
    await this.#homes.read(streams);
    await this.#views.read([...new Set(changes.map(({ homeId }) => homeId))]);
    return streams;
  }

  /** Returns how large it is for each who hears it. */
  #tell(row: HomeEvent, window: Cursor): number {
    const streams = row.userId === null ? this.#index.ofHome(row.homeId) : this.#index.ofUser(row.userId);
    if (streams.size === 0) return 0;
    const now = this.#platform.clock();
    let frame: Frame | undefined;
    for (const stream of streams) {
      // Of a window that began before the stream was live, it has read all by itself.
      if (stream.liveFrom === undefined || stream.liveFrom > window.from || !stream.wants(row)) continue;
      if (row.userId === null && !this.#views.maySee(row, stream.listener.userId, now)) continue;
      frame ??= frameOf(row, cursorText({ ...window, seq: BigInt(row.seq) }, this.#cluster));
      if (!frame) return 0;
      stream.tell(frame);
    }
    return frame?.sse.length ?? 0;
  }

  /** Between two windows it says how far the stream is, so that a quiet one can go on there as well. */
  #beatFor({ liveFrom }: Stream): Frame {
    const { from, to } = this.#position;
    const isThere = liveFrom !== undefined && from === to && liveFrom <= to;
    return signal('beat', isThere ? cursorText(this.#position, this.#cluster) : undefined);
  }
}
