import type { KeptAnswer } from './answerHeaders.ts';
import type { Receiver } from './backEndCall.ts';

/** Collects the beginning of an answer, and leaves once it has enough. */
export class CollectingReceiver implements Receiver {
  readonly #bytesMax: number;
  readonly #timer: NodeJS.Timeout;
  readonly #leftHeard: (() => void)[] = [];
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  hasLeft = false;
  isTruncated = false;
  status = 0;
  /** Undefined if no answer has begun. */
  answer: KeptAnswer | undefined;

  constructor(bytesMax: number, waitMs: number) {
    this.#bytesMax = bytesMax;
    this.#timer = setTimeout(() => this.#leave(), waitMs);
  }

  #leave(): void {
    this.hasLeft = true;
    this.isTruncated = true;
    clearTimeout(this.#timer);
    for (const hear of this.#leftHeard) hear();
  }

  onLeft(hear: () => void): void {
    this.#leftHeard.push(hear);
  }

  start(status: number, answer: KeptAnswer): void {
    this.status = status;
    this.answer = answer;
  }

  write(chunk: Buffer): boolean {
    const room = this.#bytesMax - this.#bytes;
    this.#bytes += Math.min(chunk.length, room);
    this.#chunks.push(Buffer.from(chunk.subarray(0, room)));
    if (chunk.length > room) this.#leave();
    return true;
  }

  /** Never called: it accepts everything at once. */
  onDrain(): void {
    throw new Error('What is collected never waits.');
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  breakOff(): void {
    this.isTruncated = true;
    clearTimeout(this.#timer);
  }

  /** Never called: no WebSocket is requested. */
  upgrade(): void {
    throw new Error('Nothing asks for an upgrade.');
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  text(): { body: string; encoding: 'utf8' | 'base64' } {
    const { bytes } = this;
    const body = bytes.toString('utf8');
    const isText = Buffer.from(body, 'utf8').equals(bytes);
    return isText ? { body, encoding: 'utf8' } : { body: bytes.toString('base64'), encoding: 'base64' };
  }
}
