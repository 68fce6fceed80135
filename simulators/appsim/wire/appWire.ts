import { FrameReader } from '#sdk/app/readSse.ts';
import type { Frame } from '#sdk/app.ts';
import { type WireLine, WireLines } from '../../shared/wireLines.ts';
import { maskHeader, maskSecrets } from './maskSecrets.ts';

/** What a call was, so that it can be made again elsewhere. Secrets are masked. */
export interface Asked {
  method: string;
  /** After the address of the app: `/homes/1041/devices`. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A request, an answer, a message of the stream, or a tap, as it is shown. */
export interface AppLine extends WireLine {
  /** Of a request or answer. */
  asked?: Asked;
  status?: number;
  ms?: number;
  /** The line says only that the connection lives. */
  isBeat: boolean;
}

/** What happened on the wire, as a trace follows it; times are of the clock of this window. */
export type Heard =
  | { what: 'tap'; atMs: number; label: string; deviceId: string }
  | { what: 'sent'; atMs: number; call: number; asked: Asked }
  /** Status 0: no answer came. */
  | { what: 'answered'; atMs: number; call: number; asked: Asked; status: number; body: unknown }
  | { what: 'told'; atMs: number; frame: Frame };

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Everything between the app and the platform. `fetch` is what the SDK is given. */
export class AppWire extends WireLines<AppLine> {
  readonly #baseUrl: string;
  readonly #hear = new Set<(heard: Heard) => void>();
  /** Present while offline or not: aborts what is under way when the app goes offline. */
  #network: AbortController | undefined = new AbortController();
  #calls = 0;

  constructor(baseUrl: string) {
    super();
    this.#baseUrl = baseUrl;
  }

  /** Listens to what a trace follows; answers how to stop. */
  onHeard(hear: (heard: Heard) => void): () => void {
    this.#hear.add(hear);
    return () => this.#hear.delete(hear);
  }

  /** Cuts all that is under way; nothing gets through until it is over. */
  setOffline(isOffline: boolean): void {
    this.#network?.abort();
    this.#network = isOffline ? undefined : new AbortController();
    this.#note(isOffline ? 'offline' : 'online', '');
  }

  /** A finger came down on something. */
  tap(label: string, deviceId: string): void {
    this.#note('tap', label);
    this.#tell({ what: 'tap', atMs: Date.now(), label, deviceId });
  }

  readonly fetch: Fetch = async (url, init = {}) => {
    const asked = this.#askedOf(url, init);
    const network = this.#network;
    const call = ++this.#calls;
    const sentMs = Date.now();
    this.#tell({ what: 'sent', atMs: sentMs, call, asked });
    if (!network) {
      this.#tell({ what: 'answered', atMs: sentMs, call, asked, status: 0, body: undefined });
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
      this.#tell({ what: 'answered', atMs: sentMs + ms, call, asked, status: 0, body: undefined });
      throw error;
    }
  };

  #answered(
    answer: Response,
    { call, asked, sentMs }: { call: number; asked: Asked; sentMs: number },
  ): Response {
    const { status, headers } = answer;
    const done = (payload: string, body: unknown) => {
      const ms = Date.now() - sentMs;
      this.add({ ...this.#line('down', `${asked.method} answered`, asked), status, ms, payload });
      this.#tell({ what: 'answered', atMs: sentMs + ms, call, asked, status, body });
    };
    if (headers.get('content-type')?.startsWith('text/event-stream') && answer.body) {
      done('', undefined);
      return new Response(this.#overheard(answer.body), { status, headers });
    }
    void answer
      .clone()
      .text()
      .then(text => done(maskSecrets(text), parsed(text)))
      // Cut off in the middle: whoever reads it hears of it.
      .catch(() => undefined);
    return answer;
  }

  /** The stream of messages, each noted as it goes by. */
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
    if (!isBeat) this.#tell({ what: 'told', atMs: Date.now(), frame });
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

  #note(kind: string, about: string): void {
    this.add({ at: new Date(), way: 'up', kind, about, payload: '', isBeat: false });
  }

  #tell(heard: Heard): void {
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
