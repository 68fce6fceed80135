import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Problem } from '#contract/problem.ts';

/** Limits for the content of a file of 64 MiB, because checking its lines takes time. */
const decodedBytesMax = 1024 ** 3;
const linesMax = 10_000_000;
const lineBytesMax = 1024 * 1024;
const gzipMagic = Buffer.from([0x1f, 0x8b]);

/**
 * A log on its way to the store: gzip passes unchanged, plain lines are compressed. Every line is checked on the way; a
 * line that is not a JSON object, or content beyond the limits, fails the stream. The log is never held in memory as a
 * whole.
 */
export class CheckedLog {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #lines = new Lines();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source;
  }

  /** Valid once the log has passed completely. */
  get lineCount(): number {
    return this.#lines.count;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.#source[Symbol.asyncIterator]();
    const head = await headOf(chunks);
    const all = joined(head, { [Symbol.asyncIterator]: () => chunks });
    yield* head.subarray(0, 2).equals(gzipMagic) ? this.#packed(all) : this.#plain(all);
    this.#lines.end();
  }

  async *#packed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const gunzip = createGunzip();
    const checked = this.#check(gunzip);
    // Its error is awaited below, unless the stream failed for another reason.
    checked.catch(() => undefined);
    try {
      for await (const chunk of source) {
        if (gunzip.destroyed) await checked;
        if (!gunzip.write(chunk)) await Promise.race([once(gunzip, 'drain'), checked]);
        yield chunk;
      }
      gunzip.end();
      await checked;
    } finally {
      gunzip.destroy();
    }
  }

  async #check(gunzip: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of gunzip) this.#lines.add(chunk);
    } catch (error) {
      throw error instanceof Problem
        ? error
        : new Problem('FILE_UNFIT', { message: 'The file is not in gzip format.' });
    }
  }

  async *#plain(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const gzip = createGzip();
    const lines = this.#lines;
    const packing = pipeline(async function* () {
      for await (const chunk of source) {
        lines.add(chunk);
        yield chunk;
      }
    }, gzip);
    packing.catch(() => undefined);
    yield* gzip;
    await packing;
  }
}

/** Checks lines that arrive in chunks. */
class Lines {
  count = 0;
  #bytes = 0;
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > decodedBytesMax) throw unfit('Uncompressed, it is larger than 1 GiB.');
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#take(chunk.subarray(start, end));
      this.end();
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
  }

  #take(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.#begun.push(piece);
    this.#begunBytes += piece.byteLength;
    if (this.#begunBytes > lineBytesMax) throw unfit(`Line ${this.count + 1} is longer than 1 MiB.`);
  }

  /** Called at the end of a line. */
  end(): void {
    const text = Buffer.concat(this.#begun).toString().trim();
    this.#begun = [];
    this.#begunBytes = 0;
    if (text === '') return;
    this.count += 1;
    if (this.count > linesMax) throw unfit('It has more than 10,000,000 lines.');
    if (!isObject(text)) throw unfit(`Line ${this.count} is not a JSON object.`);
  }
}

function isObject(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const unfit = (why: string) => new Problem('FILE_UNFIT', { message: `This is not a log. ${why}` });

/** The first chunks, with at least two bytes if the log has that many. */
async function headOf(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.byteLength < gzipMagic.byteLength) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function* joined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.byteLength > 0) yield head;
  yield* rest;
}
