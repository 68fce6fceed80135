import type { IncomingMessage } from 'node:http';
import { Problem } from '#contract/problem.ts';
import { safeMethods } from '#server/proxyRoutes/findSubject.ts';
import type { Outgoing, Progress } from '#server/proxyRoutes/forward/backEndCall.ts';
import type { ProxyLimits } from '#server/proxyRoutes/forward/proxyLimits.ts';

/** A body of at most this size is read as a whole, so that it can be signed. */
const signedBytesMax = 64 * 1024;

export interface RequestBody {
  /** The whole body. */
  buffer?: Buffer | undefined;
  /** The body as it arrives. */
  stream?: Extract<Outgoing['body'], (progress: Progress) => unknown>;
  /** The length of the incoming body, if the app sent one. */
  contentLength?: string;
}

const none: RequestBody = {};

/** The body of a call: small bodies are read first, large ones are streamed. */
export function readBody(raw: IncomingMessage, limits: ProxyLimits): RequestBody | Promise<RequestBody> {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
  if (length === undefined && encoding === undefined) return none;
  const bytes = length === undefined ? undefined : Number(length);
  if (safeMethods.has(raw.method ?? '') && bytes !== 0)
    throw new Problem('MALFORMED', { message: `Send ${raw.method} without a body.` });
  if (bytes !== undefined && bytes > limits.bodyBytesMax) throw new Problem('TOO_LARGE');
  if (bytes !== undefined && bytes <= signedBytesMax) return readAll(raw, limits);
  return {
    stream: progress => passOn(raw, progress, limits.bodyBytesMax),
    ...(length !== undefined && { contentLength: length }),
  };
}

/** Without `destroyOnReturn`: the app still gets an answer on its connection. */
const chunksOf = (raw: IncomingMessage) => raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;

async function* passOn(raw: IncomingMessage, progress: Progress, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  progress.waitsForSender = true;
  for await (const chunk of chunksOf(raw)) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Problem('TOO_LARGE');
    progress.waitsForSender = false;
    progress.touch();
    yield chunk;
    progress.waitsForSender = true;
    progress.touch();
  }
  progress.waitsForSender = false;
}

async function readAll(raw: IncomingMessage, { idleMs }: ProxyLimits): Promise<RequestBody> {
  const late = new Problem('MALFORMED', { message: 'The request body took too long to arrive.' });
  const timer = setTimeout(() => raw.destroy(late), idleMs);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of chunksOf(raw)) chunks.push(chunk);
    return { buffer: Buffer.concat(chunks) };
  } catch (error) {
    // A client that disconnects in the middle is not an error of the platform, and reads no answer.
    throw error instanceof Problem ? error : new Problem('MALFORMED');
  } finally {
    clearTimeout(timer);
  }
}
