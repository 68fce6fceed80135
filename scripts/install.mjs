import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseInUse } from './inUse.mjs';
import { npm } from './npm.mjs';
import { root } from './processes.mjs';

const stampFile = join(root, 'node_modules/.mooring.json');

/**
 * Installs the packages of the lock file, unless they are already installed. `all` includes packages that only tests
 * need. `runtime` is a promise.
 */
export async function ensureDependencies(all, runtime) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = readStamp();
  if (stamp.lock === lock && (stamp.all || !all)) return;

  // If test tools are installed, they stay: a start after a change of the lock file does not remove them.
  const withTools = all || stamp.all === true;
  // `ci` first deletes all packages, including the PostgreSQL of a server that is running from here; `install` only
  // adds the tools.
  if (stamp.lock !== undefined && stamp.lock !== lock)
    await refuseInUse(runtime, 'its packages have changed');
  console.log(withTools ? 'Installing dependencies and test tools…' : 'Installing dependencies…');
  await npm([
    ...(stamp.lock === lock ? ['install', '--no-save'] : ['ci']),
    withTools ? '--include=dev' : '--omit=dev',
    '--include=optional',
    // No package needs an install script, so none may run.
    '--ignore-scripts',
  ]);
  writeFileSync(stampFile, JSON.stringify({ lock, all: withTools }));
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    // Never installed, or interrupted: install in both cases.
    return {};
  }
}
