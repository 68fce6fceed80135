import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Sha256 } from './sha256.ts';

it('a file has the same checksum as in other implementations, however it is split into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }), pieces => {
      const [ours, theirs] = [new Sha256(), createHash('sha256')];
      for (const piece of pieces) {
        ours.update(piece);
        theirs.update(piece);
      }
      expect(ours.hex()).toBe(theirs.digest('hex'));
    }),
  );
});

it('a larger file has the right checksum', () => {
  const bytes = Uint8Array.from({ length: 300_001 }, (_, at) => at * 7);
  const ours = new Sha256();
  ours.update(bytes);
  expect(ours.hex()).toBe(createHash('sha256').update(bytes).digest('hex'));
});
