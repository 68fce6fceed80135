import { Sha256 } from '#sdk/sha256.ts';
import type { Pieces } from './firmwareParts.ts';

/** The SHA-256 of a file that is read in chunks. */
export async function sha256Of(pieces: Pieces): Promise<string> {
  const hash = new Sha256();
  for await (const piece of pieces) hash.update(piece);
  return hash.hex();
}
