import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { compiled } from './serverProcess.ts';

interface Said {
  code: number | null;
  out: string;
  err: string;
}

export interface Running {
  child: ChildProcess;
  said: Said;
  ended: Promise<Said>;
}

/** The developer's command line as on a separate machine: each call is a process, and all share a home directory. */
export function aCli(env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'mooring-cli-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const start = (words: string[], given: { typed?: string; env?: Record<string, string> } = {}): Running => {
    const program = join(import.meta.dirname, '../cli/developer.ts');
    const child = spawn(process.execPath, [program, ...words], {
      env: { ...compiled, PATH: process.env.PATH ?? '', HOME: home, ...env, ...given.env },
    });
    const said: Said = { code: null, out: '', err: '' };
    child.stdout.on('data', chunk => {
      said.out += chunk;
    });
    child.stderr.on('data', chunk => {
      said.err += chunk;
    });
    // The process may end without reading its input.
    child.stdin.on('error', () => undefined).end(given.typed ?? '');
    const ended = new Promise<Said>((resolve, reject) => {
      child.on('error', reject).on('close', code => resolve(Object.assign(said, { code })));
    });
    return { child, said, ended };
  };
  return {
    home,
    start,
    run: (words: string[], given?: Parameters<typeof start>[1]) => start(words, given).ended,
  };
}
