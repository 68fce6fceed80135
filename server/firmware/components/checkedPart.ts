import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '#contract/problem.ts';
import type { FilePart } from '#server/infra/storage/partedFile.ts';

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

/** A member of a dictionary of RFC 8941, as far as RFC 9530 needs it: a name, a byte sequence or a number, parameters. */
const member = /^([a-z*][a-z0-9_.*-]*)=(?::([A-Za-z0-9+/]*={0,2}):|\d+)(?:;[^,;]*)*$/;
/** The length of a SHA-256 in base64. */
const digestChars = 44;

/**
 * The SHA-256 of a `Content-Digest` (RFC 9530), in base64; other algorithms are not checked. A digest that cannot be read
 * is refused: its sender relies on a check.
 */
function digestOf({ 'content-digest': header }: IncomingHttpHeaders): string | undefined {
  if (header === undefined) return undefined;
  let found: string | undefined;
  for (const one of String(header).split(',')) {
    const [, name, bytes] = member.exec(one.trim()) ?? [];
    if (name === undefined) throw malformed();
    // Of several, the last one counts.
    if (name === 'sha-256') found = bytes ?? '';
  }
  if (found !== undefined && found.length !== digestChars) throw malformed();
  return found;
}

const malformed = () =>
  new Problem('MALFORMED', { message: 'Send Content-Digest as in RFC 9530: sha-256=:<base64>:' });
