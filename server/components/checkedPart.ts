import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '#contract/problem.ts';
import type { FilePart } from '#server/storage/partedFile.ts';

/**
 * A part on its way into the store. The stream fails unless the part has its length, and its digest if one was sent. A
 * file that is sent as a whole has the length it announces, within its limit.
 */
export class CheckedPart {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #part: FilePart;
  readonly #announced: string | undefined;
  readonly #hash = createHash('sha256');
  /** The digest of the whole part in hexadecimal, once it has passed. */
  sha256 = '';
  bytes = 0;

  constructor(source: AsyncIterable<Uint8Array>, part: FilePart, headers: IncomingHttpHeaders) {
    this.#source = source;
    this.#part = part;
    this.#announced = digestOf(headers);
    const length = headers['content-length'];
    if (length !== undefined && !this.#fits(Number(length))) throw this.#unfit();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of this.#source) {
      bytes += chunk.byteLength;
      if (bytes > this.#part.bytes) throw this.#unfit();
      this.#hash.update(chunk);
      yield chunk;
    }
    if (!this.#fits(bytes)) throw this.#unfit();
    this.bytes = bytes;
    const digest = this.#hash.digest();
    if (this.#announced !== undefined && this.#announced !== digest.toString('base64'))
      throw new Problem('DIGEST_MISMATCH');
    this.sha256 = digest.toString('hex');
  }

  #fits(length: number): boolean {
    const { bytes, isWhole } = this.#part;
    return isWhole ? length > 0 && length <= bytes : length === bytes;
  }

  #unfit(): Problem {
    const { number, bytes, isWhole } = this.#part;
    const limit = bytes.toLocaleString('en');
    const message = isWhole
      ? `Send at least one byte and at most ${limit}. A larger file is sent in parts, with its size announced.`
      : `Part ${number} has ${limit} bytes. Send exactly as many.`;
    return new Problem('FILE_UNFIT', { message });
  }
}

/** The SHA-256 of a `Content-Digest` (RFC 9530), in base64; other algorithms are not checked. */
function digestOf({ 'content-digest': header }: IncomingHttpHeaders): string | undefined {
  if (typeof header !== 'string') return undefined;
  return /(?:^|,)\s*sha-256=:([^:]*):/i.exec(header)?.[1]?.trim();
}
