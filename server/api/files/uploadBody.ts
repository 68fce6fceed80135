import type { IncomingMessage } from 'node:http';
import { Problem } from '#contract/problem.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';

/** A sender that is silent for this long is disconnected; slow connections are slow, but not silent. */
const silentMaxMs = minuteMs;
/** The time limit of a whole upload. */
const uploadMaxMs = hourMs;

/** The sender has disconnected, so there is nobody to answer. */
export class SenderGone extends Error {
  override name = 'SenderGone';
}

interface Bounds {
  signal: AbortSignal;
  bytesMax: number;
}

/** Streams the body of a request. A caller that stops reading early can still send an answer. */
export async function* bodyOf(
  raw: IncomingMessage,
  { signal, bytesMax }: Bounds,
): AsyncGenerator<Uint8Array> {
  // A body that is announced as too long is rejected without reading it.
  if (Number(raw.headers['content-length'] ?? 0) > bytesMax) throw new Problem('TOO_LARGE');
  // Rejects the pending chunk. Racing one promise for the whole upload against each chunk would retain all chunks.
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
