import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseInUse } from './inUse.mjs';
import { capture, root } from './processes.mjs';

/** Everything that the built console depends on, and the packages and pages that it contains. */
const inputs = JSON.parse(readFileSync(join(import.meta.dirname, 'consoleInputs.json'), 'utf8'));
const stampFile = join(root, 'dist/console.stamp');

/**
 * Builds the console into dist/console, unless nothing has changed since the last time. With `unlessInUse`, it is refused
 * while a server gives out what would be replaced.
 */
export async function buildConsole(runtime, { unlessInUse = false } = {}) {
  const fingerprint = fingerprintOf(inputs);
  if (readStamp() === fingerprint) return;
  if (unlessInUse) await refuseInUse(runtime, 'its console has changed');
  console.log('Building the console…');
  rmSync(stampFile, { force: true });
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { code, said } = await capture(runtime, runtime.node, [vite, 'build'], { NODE_ENV: 'production' });
  if (code !== 0) throw new Error(`The console could not be built:\n${said}`);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampFile, fingerprint);
}

/** Uses sizes and times instead of contents: a few hundred lookups take less than ten milliseconds. */
function fingerprintOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) add(path);
  return hash.digest('hex');

  function add(path) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (!stat) return;
    if (!stat.isDirectory()) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
    else for (const name of readdirSync(join(root, path)).sort()) add(`${path}/${name}`);
  }
}

function readStamp() {
  return existsSync(stampFile) && existsSync(join(root, 'dist/console/index.html'))
    ? readFileSync(stampFile, 'utf8')
    : undefined;
}
