import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { handOnSignals, root } from './processes.mjs';

/** Runs the server, restarted at every change, and Vite in front of it for the console. If either ends, both end. */
export function develop(runtime) {
  const consolePort = process.env.CONSOLE_PORT ?? '5173';
  const env = {
    ...runtime.env,
    MOORING_URL: `http://127.0.0.1:${process.env.PORT || 8080}`,
    // Links in e-mails lead to Vite, because the console is there and a session belongs to one host.
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://127.0.0.1:${consolePort}`,
  };
  const programs = [
    ['--watch', '--watch-preserve-output', 'server/main.ts'],
    [join(root, 'node_modules/vite/bin/vite.js'), '--port', consolePort, '--strictPort'],
  ];
  const children = programs.map(args => spawn(runtime.node, args, { cwd: root, env, stdio: 'inherit' }));
  handOnSignals(children);
  for (const child of children) {
    child.once('exit', code => {
      process.exitCode ??= code ?? 0;
      for (const other of children) if (other.exitCode === null) other.kill('SIGTERM');
    });
  }
}
