import { Sha256 } from '#sdk/sha256.ts';

/** Of a file that is read in pieces. */
export async function sha256Of(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = new Sha256();
  for await (const piece of pieces) hash.update(piece);
  return hash.hex();
}
