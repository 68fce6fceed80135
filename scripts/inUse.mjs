import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root } from './processes.mjs';

const folder = join(root, '.runtime/running');
const program = `const { runningHere } = await import('./server/runningHere.ts');
  console.log(runningHere().join(', '));`;

/**
 * Refuses to change what a server that runs from this folder needs. `runtime` may be a promise: usually none runs, and then
 * it is not waited for.
 */
export async function refuseInUse(runtime, change) {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  const ready = await runtime;
  const { code, said } = await capture(ready, ready.node, ['--input-type=module', '-e', program]);
  if (code === 0 && said === '') return;
  if (code !== 0) throw new Error(said);
  throw new Error(
    `Mooring is already running from this folder (process ${said}), and ${change} since it was started. Stop it first.`,
  );
}
