import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** Relative to the root, with slashes. */
  path: string;
  /** The first folder. */
  part: string;
  text: string;
}

export interface Import {
  /** The specifier as written in the code. */
  name: string;
  /** The imported file, relative to the root; undefined for a package. */
  to: string | undefined;
  /** False: imports only types, which do not exist at run time. */
  isValue: boolean;
}

const parts = [
  'rules',
  'contract',
  'mqtt',
  'server',
  'console',
  'sdk',
  'simulators',
  'cli',
  'test',
  'e2e',
  'bench',
  'scripts',
];

/** The source files of the repository, read once. */
export const sourceFiles: readonly SourceFile[] = parts
  .flatMap(part => filesIn(part).map(path => ({ path, part })))
  .filter(({ path }) => /\.(ts|tsx|mjs|css|sql)$/.test(path))
  .map(file => ({ ...file, text: readFileSync(join(root, file.path), 'utf8') }));

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

export const isTest = ({ path }: Pick<SourceFile, 'path'>) => /\.(test|e2e)\.tsx?$/.test(path);

export function importsOf({ path, text }: SourceFile): Import[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\b([^'"`;]*?)from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, what = '', from, bare]) => {
    const name = from ?? bare ?? '';
    const isValue = from === undefined || !isTypeOnly(what);
    return { name, to: fileOf(path, name), isValue };
  });
}

/** `type { A }`, and `{ type A, type B }`. */
function isTypeOnly(what: string): boolean {
  const names = /^\s*\{([^}]*)\}\s*$/.exec(what)?.[1];
  if (names === undefined) return /^\s*type\b/.test(what);
  return names
    .split(',')
    .filter(name => name.trim() !== '')
    .every(name => /^\s*type\b/.test(name));
}

function fileOf(path: string, name: string): string | undefined {
  if (name.startsWith('#')) return name.slice(1);
  if (!name.startsWith('.')) return undefined;
  return relative('.', normalize(join(dirname(path), name)))
    .split('\\')
    .join('/');
}
