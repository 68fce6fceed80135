import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { S3Config } from '#server/infra/config.ts';
import { ByteBudget } from './byteBudget.ts';
import { freeChunk } from './freeChunk.ts';
import type { FilePart, PartedFile, StoredPart } from './partedFile.ts';
import { type ByteRange, Measured, type Storage, type Written } from './storage.ts';

/** Size of a part in memory; S3 allows at least 5 MiB except for the last part, and at most 10,000 parts. */
const partBytes = 8 * 1024 * 1024;
/** Memory for the parts that clients are sending at a time. */
const partsMemoryMax = 256 * 1024 * 1024;
const retriesMax = 3;
const answerWithinMs = minuteMs;

/** Files in a bucket, with path-style URLs. A file longer than a part is sent in parts, one at a time. */
export class S3Storage implements Storage {
  readonly #client: AwsClient;
  readonly #bucket: string;
  readonly #memory = new ByteBudget(partsMemoryMax);

  constructor({ url, region, accessKeyId, secretAccessKey }: S3Config) {
    this.#client = new AwsClient({
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      retries: retriesMax,
    });
    this.#bucket = url.replace(/\/$/, '');
  }

  async write(place: string, source: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Written> {
    const measured = new Measured(source, bytesMax);
    const parts = partsOf(measured);
    const [first, second] = [await parts.next(), await parts.next()];
    if (first.done) await this.#put(place, new Uint8Array());
    else if (second.done) await this.#put(place, first.value);
    else await this.#writeParts(place, chained([first.value, second.value], parts));
    return measured.written();
  }

  async read(place: string, range?: ByteRange): Promise<Readable> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.from}-${range.to}` } : {};
    // No timeout: a download takes as long as its reader does.
    const answer = await this.#ask('GET', place, { headers, signal: null });
    if (answer.status === 404) throw new Problem('FILE_NOT_FOUND');
    if (!answer.ok || !answer.body) return refused(answer, 'GET');
    return Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  }

  async size(place: string): Promise<number | undefined> {
    const answer = await this.#ask('HEAD', place);
    if (answer.status === 404) return undefined;
    if (!answer.ok) return refused(answer, 'HEAD');
    return Number(answer.headers.get('content-length'));
  }

  async remove(place: string): Promise<void> {
    const answer = await this.#ask('DELETE', place);
    if (!answer.ok && answer.status !== 404) await refused(answer, 'DELETE');
    await this.#removeParts(place);
  }

  async #ask(method: string, path: string, more: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(answerWithinMs);
    return this.#client.fetch(`${this.#bucket}/${path}`, { method, signal, ...more }).catch(() => {
      throw new Problem('UNAVAILABLE', { message: 'The file store does not answer. Try again later.' });
    });
  }

  async #must(method: string, path: string, more?: RequestInit): Promise<Response> {
    const answer = await this.#ask(method, path, more);
    return answer.ok ? answer : refused(answer, method);
  }

  async #put(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    // The store compares it with the bytes that it received.
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const answer = await this.#must('PUT', path, {
      body: bytes,
      headers: { 'x-amz-content-sha256': sha256 },
    });
    await answer.text();
    return answer.headers.get('etag') ?? '';
  }

  async begin(place: string): Promise<string> {
    const started = await (await this.#must('POST', `${place}?uploads`)).text();
    return valuesOf(started, 'UploadId')[0] ?? '';
  }

  /**
   * A part is held in memory, because the store needs its checksum first; beyond a limit, parts wait for each other.
   */
  async writePart(
    file: PartedFile,
    { number, bytes }: FilePart,
    source: AsyncIterable<Uint8Array>,
  ): Promise<string> {
    const free = await this.#memory.take(bytes);
    try {
      const part = new Uint8Array(bytes);
      let at = 0;
      for await (const chunk of source) {
        part.set(chunk, at);
        at += chunk.byteLength;
        freeChunk(chunk);
      }
      return await this.#put(partPath(file, number), part.subarray(0, at));
    } finally {
      free();
    }
  }

  async join(file: PartedFile, parts: readonly StoredPart[]): Promise<void> {
    const list = parts
      .toSorted((a, b) => a.number - b.number)
      .map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
    const path = `${file.place}?uploadId=${encodeURIComponent(file.upload)}`;
    const response = await this.#ask('POST', path, { body });
    if (!response.ok) {
      // It was joined before, but the answer did not reach us.
      if ((await this.size(file.place)) !== undefined) return;
      return refused(response, 'POST');
    }
    const answer = await response.text();
    // The store may send a success status, and report an error only in the body.
    if (valuesOf(answer, 'Code').length > 0) throw new Error(`The file store failed: ${answer}`);
  }

  async #writeParts(place: string, source: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<void> {
    const file = { place, upload: await this.begin(place) };
    try {
      const parts: StoredPart[] = [];
      for await (const part of source) {
        const number = parts.length + 1;
        parts.push({ number, etag: await this.#put(partPath(file, number), part) });
      }
      await this.join(file, parts);
    } catch (error) {
      await this.#ask('DELETE', `${place}?uploadId=${encodeURIComponent(file.upload)}`);
      throw error;
    }
  }

  /** Parts of killed uploads cost money, and are in no list of files. */
  async #removeParts(place: string): Promise<void> {
    const answer = await this.#ask('GET', `?uploads&prefix=${place}`);
    const listed = await answer.text();
    // Not every store supports this.
    if (answer.status === 501) return;
    if (!answer.ok) throw new Error(`The file store answered ${answer.status}: ${listed}`);
    for (const upload of valuesOf(listed, 'UploadId')) {
      await this.#must('DELETE', `${place}?uploadId=${encodeURIComponent(upload)}`);
    }
  }
}

const partPath = ({ place, upload }: PartedFile, number: number) =>
  `${place}?partNumber=${number}&uploadId=${encodeURIComponent(upload)}`;

/** Splits a stream into pieces of equal size, except for the last one. */
async function* partsOf(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let part = new Uint8Array(partBytes);
  let length = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.byteLength; ) {
      const taken = chunk.subarray(at, at + partBytes - length);
      part.set(taken, length);
      length += taken.byteLength;
      at += taken.byteLength;
      if (length < partBytes) continue;
      yield part;
      part = new Uint8Array(partBytes);
      length = 0;
    }
  }
  if (length > 0) yield part.subarray(0, length);
}

async function* chained<T>(first: T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

async function refused(answer: Response, method: string): Promise<never> {
  const text = (await answer.text()).slice(0, 500);
  if (/<Code>NoSuchUpload</.test(text)) throw new Problem('UPLOAD_OVER');
  if (answer.status === 507 || /<Code>(QuotaExceeded|XMinioStorageFull)</.test(text)) {
    throw new Problem('STORAGE_FULL');
  }
  throw new Error(`The file store answered ${answer.status} to ${method}: ${text}`);
}

/** The contents of all elements with this name. The store's answers are flat enough to do without a parser. */
function valuesOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value]) => value ?? '');
}
