import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { root } from './processes.mjs';

const stampFile = join(root, 'node_modules/.mooring.json');

/** Installs what the lock file says, unless that is what lies there. `all` includes what only tests need. */
export async function ensureDependencies(all) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = readStamp();
  if (stamp.lock === lock && (stamp.all || !all)) return;

  // Who tests here goes on testing: a start after a change of the lock does not take the tools away.
  const withTools = all || stamp.all === true;
  console.log(withTools ? 'Installing dependencies and test tools…' : 'Installing dependencies…');
  // `ci` deletes all packages first, the PostgreSQL of a server that runs from here among them. The tools are only added.
  await npm([
    ...(stamp.lock === lock ? ['install', '--no-save'] : ['ci']),
    ...[withTools ? '--include=dev' : '--omit=dev', '--include=optional'],
    // Nothing here needs an install script, and none shall run.
    '--ignore-scripts',
  ]);
  writeFileSync(stampFile, JSON.stringify({ lock, all: withTools }));
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    // Never installed, or interrupted: both mean installing.
    return {};
  }
}
