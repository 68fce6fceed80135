import type { IHasher } from 'hash-wasm';

/** Small enough that the page stays responsive between two pieces. */
const pieceBytes = 2 * 1024 ** 2;

interface HashOptions {
  signal: AbortSignal;
  onRead: (bytes: number) => void;
}

/** SHA-256 of a file of any size in hexadecimal digits, piece by piece: WebCrypto would want all of it in memory. */
export async function hashFile(file: Blob, { signal, onRead }: HashOptions): Promise<string> {
  const hasher = await sha256();
  for (let from = 0; from < file.size; from += pieceBytes) {
    signal.throwIfAborted();
    hasher.update(new Uint8Array(await file.slice(from, from + pieceBytes).arrayBuffer()));
    onRead(Math.min(file.size, from + pieceBytes));
  }
  return hasher.digest('hex');
}

/** SHA-256 of a part in base64. WebCrypto is not available without https. */
export async function hashPart(part: Blob): Promise<string> {
  const bytes = await part.arrayBuffer();
  const digest = crypto.subtle
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    : (await sha256()).update(new Uint8Array(bytes)).digest('binary');
  return btoa(String.fromCharCode(...digest));
}

async function sha256(): Promise<IHasher> {
  const { createSHA256 } = await import('./sha256.ts');
  return (await createSHA256()).init();
}
