import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compiled } from './serverProcess.ts';
import type { World } from './world.ts';

export interface Said {
  code: number | null;
  out: string;
  err: string;
}

/** The operator's command line as a separate process, on the database of a running world. */
export function operatorOf(world: World, more: Record<string, string> = {}) {
  const { databaseUrl = '', dataDir } = world.platform.config;
  const env = {
    ...compiled,
    PATH: process.env.PATH ?? '',
    USER: 'olga',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: new URL(world.url).port,
    LOG_LEVEL: 'error',
    ...more,
  };
  return (...words: string[]): Promise<Said> =>
    new Promise((resolve, reject) => {
      const program = join(import.meta.dirname, '../cli/operator.ts');
      const child = spawn(process.execPath, [program, ...words], { env });
      const said = { out: '', err: '' };
      child.stdout.on('data', chunk => {
        said.out += chunk;
      });
      child.stderr.on('data', chunk => {
        said.err += chunk;
      });
      child.on('error', reject).on('close', code => resolve({ code, ...said }));
    });
}
