import { compareClocks } from '#console/core/serverClock.ts';
import { FrameReader } from '#sdk/app/readSse.ts';
import type { Frame } from '#sdk/app.ts';
import { type WireLine, WireLines } from '../../shared/wireLines.ts';
import { maskHeader, maskSecrets } from './maskSecrets.ts';

/** A call, so that it can be repeated elsewhere. Secrets are masked. */
export interface Asked {
  method: string;
  /** Relative to the base URL of the app: `/homes/1041/devices`. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A line of traffic: a request, an answer, a stream message, or a tap. */
export interface AppLine extends WireLine {
  /** For a request or an answer. */
  asked?: Asked;
  status?: number;
  ms?: number;
  /** True: a heartbeat. */
  isBeat: boolean;
}

/** Traffic as a trace follows it; times are from the clock of this window. */
export type Heard =
  | { what: 'tap'; atMs: number; label: string; deviceId: string }
  | { what: 'sent'; atMs: number; call: number; asked: Asked }
  /** Status 0: there was no answer. */
  | { what: 'answered'; atMs: number; call: number; asked: Asked; status: number; body: unknown }
  | { what: 'told'; atMs: number; frame: Frame };

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The traffic between the app and the platform. `fetch` is passed to the SDK. */
export class AppWire extends WireLines<AppLine> {
  readonly #baseUrl: string;
  readonly #hear = new Set<(heard: Heard) => void>();
  /** Aborts all requests in progress when the app goes offline. */
  #network: AbortController | undefined = new AbortController();
  #calls = 0;

  constructor(baseUrl: string) {
    super();
    this.#baseUrl = baseUrl;
  }

  /** Listens to traffic for a trace; returns a function to stop. */
  onHeard(hear: (heard: Heard) => void): () => void {
    this.#hear.add(hear);
    return () => this.#hear.delete(hear);
  }

  /** Going offline cuts everything in progress, and nothing gets through until the app is online again. */
  setOffline(isOffline: boolean): void {
    this.#network?.abort();
    this.#network = isOffline ? undefined : new AbortController();
    this.#record(isOffline ? 'offline' : 'online', '');
  }

  /** Records a tap. */
  tap(label: string, deviceId: string): void {
    this.#record('tap', label);
    this.#notify({ what: 'tap', atMs: Date.now(), label, deviceId });
  }

  readonly fetch: Fetch = async (url, init = {}) => {
    const asked = this.#askedOf(url, init);
    const network = this.#network;
    const call = ++this.#calls;
    const sentMs = Date.now();
    this.#notify({ what: 'sent', atMs: sentMs, call, asked });
    if (!network) {
      this.#notify({ what: 'answered', atMs: sentMs, call, asked, status: 0, body: undefined });
      throw new TypeError('The app is offline.');
    }
    this.add({ ...this.#line('up', asked.method, asked), payload: asked.body });
    const signals = [network.signal, ...(init.signal ? [init.signal] : [])];
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      return this.#answered(answer, { call, asked, sentMs });
    } catch (error) {
      const about = `${asked.path} ${error instanceof Error ? error.message : ''}`.trim();
      const ms = Date.now() - sentMs;
      this.add({ ...this.#line('down', `${asked.method} failed`, asked), about, ms, payload: '' });
      this.#notify({ what: 'answered', atMs: sentMs + ms, call, asked, status: 0, body: undefined });
      throw error;
    }
  };

  #answered(
    answer: Response,
    { call, asked, sentMs }: { call: number; asked: Asked; sentMs: number },
  ): Response {
    const { status, headers } = answer;
    compareClocks(headers, { sentAt: sentMs, answeredAt: Date.now() });
    const done = (payload: string, body: unknown) => {
      const ms = Date.now() - sentMs;
      this.add({ ...this.#line('down', `${asked.method} answered`, asked), status, ms, payload });
      this.#notify({ what: 'answered', atMs: sentMs + ms, call, asked, status, body });
    };
    if (headers.get('content-type')?.startsWith('text/event-stream') && answer.body) {
      done('', undefined);
      return new Response(this.#overheard(answer.body), { status, headers });
    }
    void answer
      .clone()
      .text()
      .then(text => done(maskSecrets(text), parsed(text)))
      // If the answer is cut off, its reader gets the error.
      .catch(() => undefined);
    return answer;
  }

  /** Records each message of the stream as it passes. */
  #overheard(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
    const decoder = new TextDecoder();
    const frames = new FrameReader(frame => this.#frame(frame));
    return body.pipeThrough(
      new TransformStream({
        transform: (piece: Uint8Array<ArrayBuffer>, out) => {
          out.enqueue(piece);
          frames.push(decoder.decode(piece, { stream: true }));
        },
      }),
    );
  }

  #frame(frame: Frame): void {
    const { id, event, data } = frame;
    const isBeat = event === 'beat';
    const payload = isBeat || event === 'opened' ? (id ? `from id ${id}` : '') : JSON.stringify(data);
    this.add({ at: new Date(), way: 'down', kind: `event: ${event}`, about: '', payload, isBeat });
    if (!isBeat) this.#notify({ what: 'told', atMs: Date.now(), frame });
  }

  #askedOf(url: string, { method = 'GET', headers, body }: RequestInit): Asked {
    const all = [...new Headers(headers)].map(([name, value]) => [name, maskHeader(name, value)] as const);
    const path = url.startsWith(this.#baseUrl) ? url.slice(this.#baseUrl.length) : url;
    const text = typeof body === 'string' ? maskSecrets(body) : '';
    return { method, path, headers: Object.fromEntries(all), body: text };
  }

  #line(way: AppLine['way'], kind: string, asked: Asked) {
    return { at: new Date(), way, kind, about: asked.path, asked, isBeat: false };
  }

  #record(kind: string, about: string): void {
    this.add({ at: new Date(), way: 'up', kind, about, payload: '', isBeat: false });
  }

  #notify(heard: Heard): void {
    for (const hear of this.#hear) hear(heard);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
