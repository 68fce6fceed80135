import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '..');

/**
 * Uses of a reason that do not need its sentence: comparisons and lookups of an answer's reason, which came with its
 * sentence, and comments.
 */
const notSaid = /[!=]== '[A-Z0-9_]+'|\b[A-Z0-9_]+: |\/\*\*?[\s\S]*?\*\/|\/\/ .*/g;

/**
 * Keeps only the sentences of reasons that the browser's code uses itself. All others come with the server's answers,
 * and would be a tenth of the first file.
 */
export function reasonsShown(): Plugin {
  return {
    name: 'reasons-shown',
    enforce: 'pre',
    async transform(_code, id) {
      if (!id.endsWith('/contract/reasons.ts')) return;
      const { reasons } = (await import('../contract/reasons.ts')) as { reasons: Record<string, unknown> };
      // The console imports nothing from the simulators.
      const isConsole = this.environment.name === 'client';
      const named = await namedIn(isConsole ? ['console'] : ['console', 'simulators']);
      const shown = Object.entries(reasons).filter(([reason]) => named.has(reason));
      return { code: `export const reasons = ${JSON.stringify(Object.fromEntries(shown))};`, map: null };
    },
  };
}

async function namedIn(folders: readonly string[]): Promise<Set<string>> {
  const files = await Promise.all(folders.map(folder => readdir(join(root, folder), { recursive: true })));
  const paths = files.flatMap((names, at) => names.map(name => join(root, folders[at] ?? '', name)));
  const sources = paths.filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path));
  const texts = await Promise.all(sources.map(path => readFile(path, 'utf8')));
  return new Set(texts.flatMap(text => text.replace(notSaid, '').match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []));
}
