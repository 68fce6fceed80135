import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
/** What each part of the house may import of the others: `rules ← contract, mqtt ← server | console | sdk ← simulators | cli`. */
const arrows: Record<string, readonly string[]> = {
  rules: [],
  contract: ['rules'],
  mqtt: [],
  server: ['rules', 'contract', 'mqtt'],
  console: ['rules', 'contract'],
  sdk: ['contract', 'mqtt'],
  simulators: ['rules', 'contract', 'mqtt', 'sdk', 'console'],
  cli: ['rules', 'contract', 'server', 'sdk'],
};
/** Packages of the parts that are to stay light; the others may use what package.json names. */
const packages: Record<string, readonly string[]> = { rules: [], contract: ['zod'], mqtt: [], sdk: [] };
const parts = [...Object.keys(arrows), 'test', 'e2e', 'bench', 'scripts'];

interface File {
  /** From the root, with slashes. */
  path: string;
  part: string;
  text: string;
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
const there = readdirSync(root);
const files: File[] = parts
  .filter(part => there.includes(part))
  .flatMap(part => filesIn(part).map(path => ({ path, part })))
  .filter(({ path }) => /\.(ts|tsx|mjs|css|sql)$/.test(path))
  .map(file => ({ ...file, text: readFileSync(join(root, file.path), 'utf8') }));
const isTest = ({ path }: File) => /\.(test|e2e)\.tsx?$/.test(path);

function importsOf({ text }: File): string[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, from, bare]) => from ?? bare ?? '');
}

/** Why the import may not be; undefined when it may. */
function fault(file: File, name: string): string | undefined {
  const to = name.startsWith('.')
    ? relative('.', normalize(join(dirname(file.path), name))).split('/')[0]
    : /^#(\w+)\//.exec(name)?.[1];
  if (to !== undefined) {
    if (to === file.part) return undefined;
    if (name.startsWith('.')) return 'reaches out of its part by a relative path';
    return arrows[file.part]?.includes(to) ? undefined : `${file.part} must not know ${to}`;
  }
  const allowed = packages[file.part];
  return !allowed || allowed.includes(name) ? undefined : `${file.part} must do without ${name}`;
}

describe('the arrows between the parts of the house', () => {
  it.each(Object.keys(arrows))('%s imports only what it may', part => {
    const faults = files
      .filter(file => file.part === part && !isTest(file))
      .flatMap(file => importsOf(file).map(name => [file.path, name, fault(file, name)] as const))
      .filter(([, , why]) => why);
    expect(faults).toEqual([]);
  });

  it('are seen by this test at all', () => {
    const of = (path: string, text: string): File => ({ path, part: path.split('/')[0] ?? '', text });
    const wrong: [string, string][] = [
      ['rules/a.ts', "import { z } from 'zod';"],
      ['rules/a.ts', "import { readFileSync } from 'node:fs';"],
      ['contract/a.ts', "import {\n  sql,\n} from '#server/db/sql.ts';"],
      ['contract/a.ts', "export { sql } from '../server/db/sql.ts';"],
      ['console/ui/a.tsx', "const all = await import('#server/app.ts');"],
      ['server/a.ts', "import '#test/world.ts';"],
      ['sdk/a.ts', "import mqtt from 'mqtt';"],
    ];
    for (const [path, text] of wrong) {
      const file = of(path, text);
      expect(
        importsOf(file).map(name => fault(file, name)),
        text,
      ).toEqual([expect.any(String)]);
    }
  });
});

describe('the tree', () => {
  it('is three folders deep at most', () => {
    expect(files.map(({ path }) => path).filter(path => path.split('/').length > 4)).toEqual([]);
  });

  it('has no drawer for whatever has no place', () => {
    const drawers = /^(utils?|helpers?|common|misc|index)$/i;
    const found = files.filter(({ path }) =>
      [...dirname(path).split('/'), basename(path).split('.')[0] ?? ''].some(name => drawers.test(name)),
    );
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('has no file longer than 300 lines', () => {
    const long = files.filter(({ text }) => text.split('\n').length > 301);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});
