import { readFileSync } from 'node:fs';
import type { Command } from './words.ts';

export const about = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const version: Command = {
  name: 'version',
  usage: 'version',
  says: 'prints the version',
  run: async () => [],
  alone: async () => [`Mooring ${about.version}, Node ${process.version}`],
};
