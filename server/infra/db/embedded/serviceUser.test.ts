import { expect, test } from 'vitest';
import { runAs } from './serviceUser.ts';

test('a program that ends without reading its input reports the reason itself', async () => {
  const more = 'x'.repeat(10_000_000);
  await runAs(undefined, '/bin/sh', ['-c', 'exit 0'], more);
  const run = runAs(undefined, '/bin/sh', ['-c', 'echo no room; exit 3'], more);
  await expect(run).rejects.toThrow('/bin/sh failed (3): no room');
});
