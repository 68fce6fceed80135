import { type StreamMessage, streamBounds } from '#contract/appApi/stream.ts';
import { backoffMs } from '../connection/backoff.ts';
import { type Hear, Kept, Listeners, type Stop } from '../connection/listeners.ts';
import type { Api } from './api.ts';
import { type Frame, readSse } from './readSse.ts';
import { readWebSocket, type StreamSocketClass } from './readWebSocket.ts';

/** `live`: all that happens is heard. `waiting`: the next attempt is made by itself. */
export type StreamState = 'off' | 'connecting' | 'live' | 'waiting';

/** How a stream is read: resolves when it ended, having told each frame as it came. */
export type ReadStream = (asked: Asked) => Promise<void>;
export interface Asked {
  api: Api;
  after: string | undefined;
  signal: AbortSignal;
  hear: (frame: Frame) => void;
}

/** So many heartbeats may be missed before the line counts as dead. */
const silenceMs = 3 * streamBounds.heartbeatS * 1000;

/**
 * The event stream of a user, kept open while somebody listens. It goes on after the last message that was heard, so that
 * nothing is missed or told twice; where too much time went by, `reset` says that everything is to be read again.
 */
export class EventStream {
  readonly messages = new Listeners<StreamMessage>();
  /** What is known is old: read it again. */
  readonly resets = new Listeners<void>();
  readonly state = new Kept<StreamState>();
  readonly #api: Api;
  readonly #read: ReadStream;
  #after: string | undefined;
  #failures = 0;
  #stop: AbortController | undefined;
  #listening = 0;
  /** False: nobody listens, or it was closed in spite of them. */
  #isWanted = false;

  constructor(api: Api, WebSocket: StreamSocketClass | undefined) {
    this.#api = api;
    this.#read = streamsByFetch() || !WebSocket ? readSse : readWebSocket(WebSocket);
    this.state.latest = 'off';
  }

  /** Opens the stream with the first who listens, and closes it after the last. */
  listen(hear: { message?: Hear<StreamMessage>; reset?: Hear<void> }): Stop {
    const stops = [
      hear.message ? this.messages.add(hear.message) : undefined,
      hear.reset ? this.resets.add(hear.reset) : undefined,
    ];
    this.#listening++;
    if (this.#listening === 1) {
      this.#isWanted = true;
      this.#open();
    }
    let isHeard = true;
    return () => {
      if (!isHeard) return;
      isHeard = false;
      for (const stop of stops) stop?.();
      this.#listening--;
      if (this.#listening === 0) this.close();
    };
  }

  /** At once, where it would wait or is paused: somebody signed in. What came before was another user's. */
  restart(): void {
    if (!this.#isWanted) return;
    this.pause();
    this.#open();
  }

  /** At once, where it would wait: the network came back. It goes on after the last message. */
  resume(): void {
    if (!this.#stop || this.state.latest === 'live') return;
    this.#stop.abort();
    this.#open();
  }

  /** Until `restart`: nobody is signed in. */
  pause(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#after = undefined;
    this.state.tell('off');
  }

  close(): void {
    this.#isWanted = false;
    this.pause();
  }

  #open(): void {
    const stop = new AbortController();
    this.#stop = stop;
    this.#failures = 0;
    // It never rejects: each failure is followed by another attempt.
    void this.#run(stop.signal);
  }

  async #run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      this.state.tell('connecting');
      await this.#once(stopped).catch(() => undefined);
      if (stopped.aborted) return;
      this.#failures++;
      this.state.tell('waiting');
      await passed(backoffMs(this.#failures, false), stopped);
    }
  }

  /** One connection, until it ends or falls silent. */
  async #once(stopped: AbortSignal): Promise<void> {
    const line = new AbortController();
    const cut = () => line.abort();
    let silence = setTimeout(cut, silenceMs);
    stopped.addEventListener('abort', cut, { once: true });
    const hear = (frame: Frame) => {
      clearTimeout(silence);
      silence = setTimeout(cut, silenceMs);
      if (!stopped.aborted) this.#take(frame);
    };
    try {
      await this.#read({ api: this.#api, after: this.#after, signal: line.signal, hear });
    } finally {
      clearTimeout(silence);
      stopped.removeEventListener('abort', cut);
    }
  }

  #take({ id, event, data }: Frame): void {
    const isFirst = this.#after === undefined;
    if (id !== undefined) this.#after = id;
    if (event === 'opened') {
      this.#failures = 0;
      this.state.tell('live');
      // What happened before the first stream was opened was told to nobody.
      if (isFirst) this.resets.tell();
    } else if (event === 'reset') this.resets.tell();
    // A stream that was closed for being read too slowly goes on at once.
    else if (event === 'lagging') this.#failures = 0;
    else if (event !== 'beat' && event !== 'ended') this.messages.tell(data as StreamMessage);
  }
}

/** React Native has a `fetch` whose answers come only when they are complete. */
function streamsByFetch(): boolean {
  return (
    typeof Response === 'function' && 'body' in Response.prototype && typeof TextDecoderStream === 'function'
  );
}

function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
