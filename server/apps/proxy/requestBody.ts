import type { IncomingMessage } from 'node:http';
import { Problem } from '#contract/problem.ts';
import { safeMethods } from '#server/apps/proxyRoutes/findSubject.ts';
import type { Outgoing, Progress } from '#server/apps/proxyRoutes/forward/backEndCall.ts';
import type { ProxyLimits } from '#server/apps/proxyRoutes/forward/proxyLimits.ts';

/** A body of at most this size is read as a whole before the back end is called, so that it can be signed. */
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

/** The body of a call: small bodies are read as a whole, and large ones streamed after their beginning has arrived. */
export function readBody(raw: IncomingMessage, limits: ProxyLimits): RequestBody | Promise<RequestBody> {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
  if (length === undefined && encoding === undefined) return none;
  const bytes = length === undefined ? undefined : Number(length);
  if (safeMethods.has(raw.method ?? '') && bytes !== 0)
    throw new Problem('MALFORMED', { message: `Send ${raw.method} without a body.` });
  if (bytes !== undefined && bytes > limits.bodyBytesMax) throw new Problem('TOO_LARGE');
  return readAhead(chunksOf(raw, limits), length);
}

/** Until a body is known to be large, it is only buffered: a body that does not arrive takes no slot of its route. */
async function readAhead(arriving: AsyncGenerator<Buffer>, length: string | undefined): Promise<RequestBody> {
  const ahead: Buffer[] = [];
  let bytes = 0;
  while (bytes <= signedBytesMax) {
    const next = await arriving.next();
    if (next.done) return { buffer: Buffer.concat(ahead) };
    ahead.push(next.value);
    bytes += next.value.length;
  }
  return {
    stream: progress => passOn(ahead, arriving, progress),
    ...(length !== undefined && { contentLength: length }),
  };
}

async function* passOn(
  ahead: Buffer[],
  arriving: AsyncGenerator<Buffer>,
  progress: Progress,
): AsyncGenerator<Buffer> {
  for (const chunk of ahead.splice(0)) {
    yield chunk;
    progress.touch();
  }
  progress.waitsForSender = true;
  for await (const chunk of arriving) {
    progress.waitsForSender = false;
    progress.touch();
    yield chunk;
    progress.waitsForSender = true;
    progress.touch();
  }
  progress.waitsForSender = false;
}

/** The body as it arrives. Throws if it is too large, or its sender too slow: see `proxyBodyPace`. */
async function* chunksOf(
  raw: IncomingMessage,
  { bodyBytesMax, bodyPace: { graceMs, bytesPerSMin, totalMs } }: ProxyLimits,
): AsyncGenerator<Buffer> {
  // Without `destroyOnReturn`: the app still gets an answer on its connection.
  const chunks: AsyncIterator<Buffer> = raw.iterator({ destroyOnReturn: false });
  let bytes = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const begunMs = performance.now();
      const patienceMs = Math.min(totalMs, graceMs + (bytes / bytesPerSMin) * 1000) - waitedMs;
      const next = await within(patienceMs, chunks.next());
      if (next.done) return;
      waitedMs += performance.now() - begunMs;
      bytes += next.value.length;
      if (bytes > bodyBytesMax) throw new Problem('TOO_LARGE');
      yield next.value;
    }
  } finally {
    // Not awaited: it may itself wait for the sender.
    chunks.return?.().catch(() => undefined);
  }
}

async function within<T>(waitMs: number, arriving: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Problem('MALFORMED', { message: 'The request body took too long to arrive.' }));
  }, waitMs);
  try {
    return await Promise.race([arriving, late.promise]);
  } catch (error) {
    // A client that disconnects in the middle is not an error of the platform, and reads no answer.
    throw error instanceof Problem ? error : new Problem('MALFORMED');
  } finally {
    clearTimeout(timer);
  }
}
