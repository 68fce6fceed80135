import type { StreamFrame } from './eventStream.ts';

/** One message for all kinds of streams. Each encoding is created once and shared by all readers. */
export class Frame implements StreamFrame {
  readonly #name: string;
  readonly #data: string;
  readonly #id: string | undefined;
  #sse: Buffer | undefined;
  #webSocket: Buffer | undefined;

  /** `data` is JSON on a single line. */
  constructor(name: string, data: string, id?: string) {
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
