import type { streamSignals } from '#contract/appApi/stream.ts';
import type { HomeEvent } from '#server/homeEvents/readHomeEvents.ts';

type Signal = (typeof streamSignals)[number];

/** One message, as each kind of stream sends it. Its bytes are made once, and shared by all who wait for them. */
export class Frame {
  readonly #name: string;
  readonly #data: string;
  readonly #id: string | undefined;
  #sse: Buffer | undefined;
  #webSocket: Buffer | undefined;

  constructor(name: HomeEvent['type'] | Signal, data: string, id?: string) {
    this.#name = name;
    this.#data = data;
    this.#id = id;
  }

  get sse(): Buffer {
    const id = this.#id === undefined ? '' : `id: ${this.#id}\n`;
    this.#sse ??= Buffer.from(`${id}event: ${this.#name}\ndata: ${this.#data}\n\n`);
    return this.#sse;
  }

  get webSocket(): Buffer {
    const id = this.#id === undefined ? '' : `"id":"${this.#id}",`;
    this.#webSocket ??= Buffer.from(`{${id}"event":"${this.#name}","data":${this.#data}}`);
    return this.#webSocket;
  }
}

export const signal = (name: Signal, id?: string) => new Frame(name, '{}', id);

/** Undefined: what it told of was deleted meanwhile. */
export function frameOf(event: HomeEvent, id: string): Frame | undefined {
  if (event.content === null) return undefined;
  const { type, ts, homeId, deviceId } = event;
  const of = {
    type,
    ts,
    ...(homeId !== '0' && { homeId }),
    ...(deviceId !== null && { deviceId }),
    ...ownMembers(event),
  };
  const members = [JSON.stringify(of).slice(1, -1), event.content, alertIn(event)].filter(Boolean);
  // What a device wrote may have line ends between its members; in text they are escaped.
  return new Frame(type, `{${members.join(',')}}`.replace(/[\r\n]+/g, ' '), id);
}

function ownMembers({ type, name }: HomeEvent): object {
  switch (type) {
    case 'event':
      return { name };
    case 'presence':
      return { connected: name === 'connected' };
    case 'command':
      return { stage: name };
    case 'alert':
    case 'device':
    case 'home':
      return { what: name };
    case 'membership':
      return name === '' ? {} : { role: name };
    default:
      return {};
  }
}

/** What an event says of an alert, once more where apps look for it. */
function alertIn({ type, content }: HomeEvent): string {
  if (type !== 'event' || !content?.includes('"_alert"')) return '';
  const { payload } = JSON.parse(`{${content}}`) as { payload: { _alert?: unknown } | null };
  const { severity, text } = (payload?._alert ?? {}) as { severity?: unknown; text?: unknown };
  if (typeof severity !== 'string' || typeof text !== 'string') return '';
  return `"alert":${JSON.stringify({ severity, text })}`;
}
