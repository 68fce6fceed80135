import { capture } from './processes.mjs';

const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--no-progress', '--loglevel=error'];

/** Runs npm (the one that started this process, if any) on the Node it came with; prints output only if it fails. */
export async function npm(args) {
  const { npm_execpath: path = '' } = process.env;
  const [command, ...first] = /npm-cli\.c?js$/.test(path) ? [process.execPath, path] : [npmProgram()];
  const { code, said } = await capture({ env: process.env }, command, [...first, ...args, ...quiet]);
  if (code !== 0) throw new Error(`npm ${args[0]} failed:\n${said}`);
}

function npmProgram() {
  return process.platform === 'win32' ? 'npm.cmd' : 'npm';
}
