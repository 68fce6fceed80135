import { streamLimits } from '#rules/apps/streamLimits.ts';
import type { Frame } from '#server/api/http/frame.ts';
import type { Platform } from '#server/infra/platform.ts';
import { endThoseWithoutSession } from './endedSessions.ts';
import type { HomeViews } from './homeViews.ts';
import { sayOpenStreams } from './openStreams.ts';
import type { Stream } from './stream.ts';

interface Beating {
  streams: () => Iterable<Stream>;
  views: HomeViews;
  /** The frame that a stream gets with a heartbeat. */
  beat: (stream: Stream) => Frame;
}

const slots = streamLimits.heartbeatS;

/**
 * Sends heartbeats to the streams, a different part of them each second, and checks whether their sessions are still
 * valid, because a notice about the end of a session may have been lost.
 */
export class Beats {
  readonly #platform: Platform;
  readonly #beating: Beating;
  #timer: NodeJS.Timeout | undefined;
  #second = 0;

  constructor(platform: Platform, beating: Beating) {
    this.#platform = platform;
    this.#beating = beating;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.tick(), 1000);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#say();
  }

  tick(): void {
    this.#second = (this.#second + 1) % slots;
    const due = [...this.#beating.streams()].filter(({ slot }) => slot % slots === this.#second);
    for (const stream of due) stream.send(this.#beating.beat(stream));
    void endThoseWithoutSession(this.#platform, due);
    if (this.#second > 0) return;
    const { views } = this.#beating;
    views.read(views.homeIds).catch(error => this.#failed(error));
    this.#say();
  }

  #say(): void {
    sayOpenStreams(this.#platform).catch(error => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.#platform.log('warn', 'Event streams could not be checked', { error: String(error) });
  }
}
