import type { StreamMessage } from '#contract/appApi/stream.ts';
import { streamLimits } from '#rules/apps/streamLimits.ts';
import { backoffMs } from '../connection/backoff.ts';
import { type Hear, Kept, Listeners, type Stop } from '../connection/listeners.ts';
import type { Api } from './api.ts';
import { later } from './later.ts';
import { type Frame, readSse } from './readSse.ts';
import { readWebSocket, type StreamSocketClass } from './readWebSocket.ts';

/** `live`: all events are received. `waiting`: the next attempt is made automatically. */
export type StreamState = 'off' | 'connecting' | 'live' | 'waiting';

/** Reads a stream and passes on each frame as it arrives; resolves when the stream has ended. */
export type ReadStream = (asked: Asked) => Promise<void>;
export interface Asked {
  api: Api;
  after: string | undefined;
  signal: AbortSignal;
  hear: (frame: Frame) => void;
}

/** After three missed heartbeats, the connection counts as dead. */
const silenceMs = 3 * streamLimits.heartbeatS * 1000;

/**
 * The event stream of a user, kept open while there is a listener. A new connection resumes after the last message, so
 * that nothing is missed or repeated; after too long a gap, `reset` says that everything must be read again.
 */
export class EventStream {
  readonly messages = new Listeners<StreamMessage>();
  /** Everything read so far may be stale: read it again. */
  readonly resets = new Listeners<void>();
  readonly state = new Kept<StreamState>();
  readonly #api: Api;
  readonly #read: ReadStream;
  #after: string | undefined;
  #failures = 0;
  #stop: AbortController | undefined;
  #listening = 0;
  /** False: there is no listener, or the stream was closed despite its listeners. */
  #isWanted = false;

  constructor(api: Api, WebSocket: StreamSocketClass | undefined) {
    this.#api = api;
    this.#read = streamsByFetch() || !WebSocket ? readSse : readWebSocket(WebSocket);
    this.state.latest = 'off';
  }

  /** The first listener opens the stream, and the last one to stop closes it. */
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

  /** Reconnects at once, without resuming: somebody signed in, and earlier messages were another user's. */
  restart(): void {
    if (!this.#isWanted) return;
    this.pause();
    this.#open();
  }

  /** Reconnects at once instead of waiting, because the network is back. Resumes after the last message. */
  resume(): void {
    if (!this.#stop || this.state.latest === 'live') return;
    this.#stop.abort();
    this.#open();
  }

  /** Pauses until `restart`, because nobody is signed in. */
  pause(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#after = undefined;
    this.state.emit('off');
  }

  close(): void {
    this.#isWanted = false;
    this.pause();
  }

  #open(): void {
    const stop = new AbortController();
    this.#stop = stop;
    this.#failures = 0;
    // The promise never rejects: each failure is followed by another attempt.
    void this.#run(stop.signal);
  }

  async #run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      this.state.emit('connecting');
      await this.#once(stopped).catch(() => undefined);
      if (stopped.aborted) return;
      this.#failures++;
      this.state.emit('waiting');
      await passed(backoffMs(this.#failures, false), stopped);
    }
  }

  /** Runs one connection until it ends or goes silent. */
  async #once(stopped: AbortSignal): Promise<void> {
    const line = new AbortController();
    const over = later<void>();
    const cut = () => {
      line.abort();
      over.resolve();
    };
    let silence = setTimeout(cut, silenceMs);
    stopped.addEventListener('abort', cut, { once: true });
    const hear = (frame: Frame) => {
      if (line.signal.aborted) return;
      clearTimeout(silence);
      silence = setTimeout(cut, silenceMs);
      this.#take(frame);
    };
    try {
      const reading = this.#read({ api: this.#api, after: this.#after, signal: line.signal, hear });
      // Also ends what the signal does not reach, such as a refresh of the tokens.
      await Promise.race([reading, over.promise]);
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
      this.state.emit('live');
      // Nobody received what happened before the first stream was opened.
      if (isFirst) this.resets.emit();
    } else if (event === 'reset') this.resets.emit();
    // A stream that was closed because it was read too slowly reconnects without a delay.
    else if (event === 'lagging') this.#failures = 0;
    else if (event !== 'beat' && event !== 'ended') this.messages.emit(data as StreamMessage);
  }
}

/** The `fetch` of React Native returns answers only once they are complete. */
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
