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
  // Of the chunk that is waited for. One promise for the whole upload, in a race with each chunk, would hold all of them.
  let fail: (reason: unknown) => void = () => undefined;
  const stop = () => fail(signal.reason);
  signal.addEventListener('abort', stop);
  const silent = setTimeout(() => raw.destroy(), silentMaxMs);
  const slow = setTimeout(() => raw.destroy(), uploadMaxMs);
  const chunks = raw.iterator({ destroyOnReturn: false });
  let bytes = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        fail = reject;
        chunks.next().then(resolve, error => reject(senderGone(error)));
      });
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

const senderGone = (cause: unknown) => new SenderGone('The client closed the connection.', { cause });
