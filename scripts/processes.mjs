import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a program to its end and captures its output. */
export function capture(runtime, command, args, env = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...runtime.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', chunk => {
    said += chunk;
  });
  child.stderr.on('data', chunk => {
    said += chunk;
  });
  return ended(child).then(code => ({ code, said: said.trim() }));
}

/** Runs a program to its end with its output shown. */
export function show(runtime, command, args, env = {}) {
  return ended(spawn(command, args, { cwd: root, env: { ...runtime.env, ...env }, stdio: 'inherit' }));
}

/** Runs one of our programs in place of this process: signals are passed on, and its exit code becomes ours. */
export function become(runtime, args, env = {}) {
  const child = spawn(runtime.node, args, { cwd: root, env: { ...runtime.env, ...env }, stdio: 'inherit' });
  handOnSignals([child]);
  child.once('error', error => {
    console.error(error.message);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Passes signals on to the children; this process ends after they have ended. */
export function handOnSignals(children) {
  const handOn = signal => {
    for (const child of children) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to all its processes at once; a second one could mean "at once, please".
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      handOn(signal);
    });
  }
  // npm passes a signal only to its shell, which ends without notifying this process.
  if (process.env.npm_lifecycle_event) whenOrphaned(() => handOn('SIGTERM'));
}

function whenOrphaned(act) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, 250);
  timer.unref();
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
