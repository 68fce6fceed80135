import type { Fetch } from './fetch.ts';
import type { TargetComponent } from './frames.ts';
import { Sha256 } from './sha256.ts';

const sentences = {
  UNREACHABLE: 'The file could not be downloaded.',
  SIZE_WRONG: 'The file does not have the expected size.',
  CHECKSUM_WRONG: 'The checksum of the file does not match.',
} as const;

export class FirmwareFault extends Error {
  override name = 'FirmwareFault';
  readonly reason: keyof typeof sentences;

  constructor(reason: keyof typeof sentences, options?: ErrorOptions) {
    super(sentences[reason], options);
    this.reason = reason;
  }
}

export interface FetchOptions {
  /** Takes what comes, piece by piece: into the flash, or wherever it is kept until it is whole. */
  write: (piece: Uint8Array, bytesSoFar: number) => void | Promise<void>;
  signal?: AbortSignal;
  fetch?: Fetch;
}

const attemptsMax = 5;
const pauseMs = 1_000;

/**
 * Fetches the file of one component. What was written may be started only after this has resolved: then size and
 * checksum are right. A connection that breaks is taken up where it broke.
 */
export async function fetchComponent(component: TargetComponent, options: FetchOptions): Promise<void> {
  const hash = new Sha256();
  let bytes = 0;
  for (let attempt = 1; bytes < component.size; attempt++) {
    try {
      for await (const piece of pieces(component.url, bytes, options)) {
        bytes += piece.length;
        if (bytes > component.size) throw new FirmwareFault('SIZE_WRONG');
        hash.update(piece);
        await options.write(piece, bytes);
      }
      if (bytes < component.size) throw new FirmwareFault('SIZE_WRONG');
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof Broken)) throw error;
      if (attempt === attemptsMax) throw new FirmwareFault('UNREACHABLE', { cause: error });
      await new Promise(resolve => setTimeout(resolve, pauseMs * attempt));
    }
  }
  if (hash.hex() !== component.sha256.toLowerCase()) throw new FirmwareFault('CHECKSUM_WRONG');
}

async function* pieces(url: string, from: number, options: FetchOptions): AsyncGenerator<Uint8Array> {
  const send = options.fetch ?? fetch;
  const answer = await send(url, {
    ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
    ...(options.signal && { signal: options.signal }),
  }).catch(broken);
  if (!answer.ok || !answer.body) throw new FirmwareFault('UNREACHABLE');
  let skip = from > 0 && answer.status !== 206 ? from : 0;
  const reader = answer.body.getReader();
  try {
    for (;;) {
      const next = await reader.read().catch(broken);
      if (next.done) return;
      // Who does not know ranges begins anew.
      const piece = next.value.subarray(Math.min(skip, next.value.length));
      skip -= next.value.length - piece.length;
      if (piece.length > 0) yield piece;
    }
  } finally {
    // What is broken already cannot be called off.
    reader.cancel().catch(() => undefined);
  }
}

/** Nothing answers, or no longer. */
class Broken extends Error {}

function broken(error: unknown): never {
  throw new Broken('The connection was lost.', { cause: error });
}
