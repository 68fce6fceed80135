import { createStore } from '#console/core/store.ts';

/** A line of traffic. */
export interface WireLine {
  key: number;
  at: Date;
  /** `up`: sent from here. */
  way: 'up' | 'down';
  /** `PUBLISH`, `POST` and so on. */
  kind: string;
  /** The topic or path, or other text. */
  about: string;
  payload: string;
}

const linesMax = 1_000;
/** In characters; longer payloads are truncated. */
const payloadMax = 10_000;
const drawEveryMs = 100;

/** The latest lines. Rendered at most a few times a second, however many arrive. */
export class WireLines<Line extends WireLine> {
  readonly shown = createStore<readonly Line[]>([]);
  #fresh: Line[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  add(line: Omit<Line, 'key'>): void {
    const key = ++this.#count;
    this.#fresh.push({ ...line, key, payload: shortened(line.payload) } as Line);
    this.#timer ??= setTimeout(() => this.#draw(), drawEveryMs);
  }

  clear(): void {
    this.#fresh = [];
    this.shown.set([]);
  }

  #draw(): void {
    this.#timer = undefined;
    this.shown.set([...this.shown.get(), ...this.#fresh].slice(-linesMax));
    this.#fresh = [];
  }
}

function shortened(payload: string): string {
  return payload.length > payloadMax ? `${payload.slice(0, payloadMax)}…` : payload;
}

/** A line as text, for the clipboard. */
export function wireText({ at, way, kind, about, payload }: WireLine): string {
  return [at.toISOString(), way === 'up' ? '→' : '←', kind, about, payload].filter(Boolean).join(' ');
}

/** Formats a payload over several lines if it is JSON. */
export function laidOut(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
