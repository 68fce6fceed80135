import type { IncomingMessage } from 'node:http';
import { Problem } from '#contract/problem.ts';

/** Who stops sending is let go; uploads from far away are slow, not silent. */
const silentMaxMs = 60_000;
/** Of the whole. */
const uploadMaxMs = 3_600_000;

/** The sender is gone: there is nobody to answer. */
export class SenderGone extends Error {
  override name = 'SenderGone';
}

interface Bounds {
  signal: AbortSignal;
  bytesMax: number;
}

/** The body of a request as it comes in. Whoever stops listening can still answer. */
export async function* bodyOf(
  raw: IncomingMessage,
  { signal, bytesMax }: Bounds,
): AsyncGenerator<Uint8Array> {
  // What is announced as too long need not be read first.
  if (Number(raw.headers['content-length'] ?? 0) > bytesMax) throw new Problem('TOO_LARGE');
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  const stop = () => stopped.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  const silent = setTimeout(() => raw.destroy(), silentMaxMs);
  const slow = setTimeout(() => raw.destroy(), uploadMaxMs);
  const chunks = raw.iterator({ destroyOnReturn: false });
  let bytes = 0;
  try {
    for (;;) {
      const next = await Promise.race([chunks.next().catch(gone), stopped.promise]);
      if (next.done) return;
      silent.refresh();
      bytes += next.value.byteLength;
      if (bytes > bytesMax) throw new Problem('TOO_LARGE');
      yield next.value;
    }
  } finally {
    clearTimeout(silent);
    clearTimeout(slow);
    signal.removeEventListener('abort', stop);
  }
}

function gone(error: unknown): never {
  throw new SenderGone('The client closed the connection.', { cause: error });
}
