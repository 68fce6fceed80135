import type { TargetComponent } from '#sdk/frames.ts';
import { Sha256 } from '#sdk/sha256.ts';
import { type Download, download } from './download.ts';
import type { FirmwareParts } from './firmwareParts.ts';
import { UpdateFault } from './updateFault.ts';

type Ways = Pick<Download, 'url' | 'renew' | 'fetch' | 'wait' | 'signal'>;

interface Given extends Ways {
  component: TargetComponent;
  parts: FirmwareParts;
  /** Called with the number of bytes of the delta received. */
  report: (bytes: number) => void;
}

/**
 * Writes a component’s file, made from the installed one and a delta, and verifies it. Throws if anything is wrong;
 * then the whole file is downloaded.
 */
export async function fromDelta({ component, parts, report, ...ways }: Given): Promise<void> {
  const { delta, size, sha256 } = component;
  if (!delta || !parts.patch) throw new UpdateFault('hash_mismatch', 'There is no delta.');
  const bytes = new Uint8Array(delta.size);
  await download({
    ...ways,
    size: delta.size,
    offset: 0,
    write: (piece, offset) => {
      bytes.set(piece, offset);
      report(offset + piece.length);
    },
    // A delta is small and starts over after a restart.
    save: () => undefined,
  });
  const hash = new Sha256();
  hash.update(bytes);
  expectSum(hash.hex(), delta.sha256);
  let offset = 0;
  for await (const piece of await parts.patch(component, bytes)) {
    ways.signal.throwIfAborted();
    if (offset + piece.length > size)
      throw new UpdateFault('hash_mismatch', 'The delta makes a larger file.');
    await parts.write(component, piece, offset);
    offset += piece.length;
  }
  expectSum(await parts.checksum(component), sha256);
}

function expectSum(is: string, expected: string): void {
  if (is.toLowerCase() === expected.toLowerCase()) return;
  throw new UpdateFault('hash_mismatch', 'The checksum does not match.');
}
