import { basename, dirname } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { type Import, importsOf, isTest, type SourceFile, sourceFiles } from './sourceFiles.ts';

/**
 * Which other parts of the repository each part may import: `rules ← contract, mqtt ← server | console | sdk ←
 * simulators | cli`.
 */
const arrows: Record<string, readonly string[]> = {
  rules: [],
  contract: ['rules'],
  mqtt: [],
  server: ['rules', 'contract', 'mqtt'],
  // From docs, only the text of a page.
  console: ['rules', 'contract', 'docs'],
  sdk: ['rules', 'contract', 'mqtt'],
  simulators: ['rules', 'contract', 'mqtt', 'sdk', 'console'],
  cli: ['rules', 'contract', 'server', 'sdk'],
};
/** The packages of parts that must stay small; other parts may use any package in package.json. */
const packages: Record<string, readonly string[]> = { rules: [], contract: ['zod'], mqtt: [], sdk: [] };

/** Why the import is not allowed; undefined if it is. */
function fault(file: SourceFile, { name, to }: Import): string | undefined {
  if (to !== undefined) {
    const part = to.split('/')[0] ?? '';
    if (part === file.part) return undefined;
    if (name.startsWith('.')) return 'reaches out of its part by a relative path';
    return arrows[file.part]?.includes(part) ? undefined : `${file.part} must not know ${part}`;
  }
  const allowed = packages[file.part];
  return !allowed || allowed.includes(name) ? undefined : `${file.part} must do without ${name}`;
}

/** All files except tests, which may import anything. */
const code = sourceFiles.filter(file => !isTest(file));

describe('imports between the parts of the repository', () => {
  it.each(Object.keys(arrows))('%s only has allowed ones', part => {
    const faults = code
      .filter(file => file.part === part)
      .flatMap(file => importsOf(file).map(one => [file.path, one.name, fault(file, one)] as const))
      .filter(([, , why]) => why);
    expect(faults).toEqual([]);
  });

  it('are recognized by this test', () => {
    const of = (path: string, text: string): SourceFile => ({ path, part: path.split('/')[0] ?? '', text });
    const wrong: [string, string][] = [
      ['rules/a.ts', "import { z } from 'zod';"],
      ['rules/a.ts', "import { readFileSync } from 'node:fs';"],
      ['contract/a.ts', "import {\n  sql,\n} from '#server/infra/db/sql.ts';"],
      ['contract/a.ts', "export { sql } from '../../server/infra/db/sql.ts';"],
      ['console/ui/a.tsx', "const all = await import('#server/app.ts');"],
      ['server/a.ts', "import '#test/world.ts';"],
      ['sdk/a.ts', "import mqtt from 'mqtt';"],
    ];
    for (const [path, text] of wrong) {
      const file = of(path, text);
      expect(
        importsOf(file).map(one => fault(file, one)),
        text,
      ).toEqual([expect.any(String)]);
    }
  });
});

describe('the tree', () => {
  it('is at most four folders deep', () => {
    expect(sourceFiles.map(({ path }) => path).filter(path => path.split('/').length > 5)).toEqual([]);
  });

  it('takes no path from a URL, where a space or an accent in it is encoded', () => {
    const fromUrl = /import\.meta\.url\)\.pathname|\b(?:file|folder|root)(?:Url)?\.pathname\b/;
    const found = sourceFiles.filter(
      ({ path, text }) => path !== 'test/architecture/boundaries.test.ts' && fromUrl.test(text),
    );
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('has no folder or file for miscellaneous things', () => {
    const drawers = /^(utils?|helpers?|common|misc|index)$/i;
    const found = sourceFiles.filter(({ path }) =>
      [...dirname(path).split('/'), basename(path).split('.')[0] ?? ''].some(name => drawers.test(name)),
    );
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('has no file longer than 300 lines', () => {
    const long = sourceFiles.filter(({ text }) => text.split('\n').length > 301);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

describe('folders', () => {
  it('have at most twenty files per folder, not counting tests', () => {
    const folders = Map.groupBy(code, ({ path }) => dirname(path));
    // Folders with a file per migration, noun or test tool: these lists grow, and are searched by name.
    const open = ['server/infra/db/migrations', 'contract', 'test', 'e2e', 'scripts'];
    const full = [...folders].filter(([folder, of]) => of.length > 20 && !open.includes(folder));
    expect(full.map(([folder, of]) => [folder, of.length])).toEqual([]);
  });

  it('of a neighborhood have no two files with the same name, except routes, store and slice', () => {
    const shared = ['routes', 'store', 'slice'];
    const inRooms = code.filter(({ path }) => /^(server|console)\/\w+\//.test(path) && /\.tsx?$/.test(path));
    const byName = Map.groupBy(inRooms, ({ path }) => {
      const name = basename(path).replace(/\.tsx?$/, '');
      return [...path.split('/').slice(0, 2), name.toLowerCase()].join('/');
    });
    const twice = [...byName].filter(([name, of]) => of.length > 1 && !shared.includes(basename(name)));
    expect(twice.map(([, of]) => of.map(({ path }) => path))).toEqual([]);
  });
});

describe('one way to do a thing', () => {
  const durations = 'rules/time/durations.ts';
  /** Minutes, hours and days in milliseconds or seconds, as a number in code; not a text, part of a name, or in SQL. */
  const duration =
    /(?<![\w.'"`])(?:60_000|120_000|300_000|600_000|900_000|3_?600_?000|86_?400_?000|3_?600|86_400|24 \* 60)(?![\w.'"`])/;

  it('durations are in one file', () => {
    const own = /^\s*(?:export )?const (?:(?:minute|hour|day|week)Ms|(?:minute|hour|day)S|dayMinutes)\b/m;
    const found = sourceFiles.filter(({ path, text }) => path !== durations && own.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('a minute, an hour and a day are not written as numbers', () => {
    const product = ['rules', 'contract', 'mqtt', 'server', 'console', 'sdk', 'simulators', 'cli'];
    const lines = code
      .filter(({ part, path }) => product.includes(part) && /\.tsx?$/.test(path) && path !== durations)
      .flatMap(({ path, text }) => text.split('\n').map(line => ({ path, line: line.trim() })))
      .filter(({ line }) => !/^(?:\*|\/\*|\/\/)|extract\(epoch /.test(line) && duration.test(line));
    expect(lines).toEqual([]);
  });

  it('a function says what it does, not that it tells, notes or keeps something', () => {
    const vague =
      /^(?:export )?(?:async )?(?:function\*?|const) (?:tell|told|note|keep)(?:[A-Z]\w*)?(?:\(| = (?:async )?\()/m;
    // What is kept open or in place is no storage; `keepHouse` is the name of a stored job.
    const clear = /\b(?:keepOpen|keepFocus|keepHouse)\(/;
    const product = ['rules', 'contract', 'mqtt', 'server', 'console', 'sdk', 'simulators', 'cli'];
    const found = code
      .filter(({ part }) => product.includes(part))
      .flatMap(({ path, text }) => text.split('\n').map(line => ({ path, line })))
      .filter(({ line }) => vague.test(line) && !clear.test(line));
    expect(found).toEqual([]);
  });

  it('an object or a list is written out, not spread from a literal in place', () => {
    const found = sourceFiles.filter(
      ({ path, text }) => /\.(ts|tsx|mjs)$/.test(path) && isSpreadInPlace(path, text),
    );
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});

/** Whether a literal is spread into another one: surplus properties would not be checked. */
function isSpreadInPlace(path: string, text: string): boolean {
  if (!/\.\.\.[[{]/.test(text)) return false;
  let found = false;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || found) return;
    const { type, properties, elements } = value as Partial<
      Record<'type' | 'properties' | 'elements', unknown>
    >;
    const [inner, own] =
      type === 'ObjectExpression' ? [properties, type] : type === 'ArrayExpression' ? [elements, type] : [];
    for (const one of Array.isArray(inner) ? (inner as { type?: string; argument?: Node }[]) : [])
      if (one?.type === 'SpreadElement' && one.argument?.type === own) found = true;
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path));
  return found;
}

interface Node {
  type: string;
  start: number;
  end: number;
}

/** All functions, with their first line and their number of lines. */
function functionsOf({ path, text }: SourceFile): { at: string; lines: number }[] {
  const found: { at: string; lines: number }[] = [];
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const inner of Object.values(value)) visit(inner);
    const { type, start, end } = value as Node;
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)) return;
    found.push({ at: `${path}:${lineOf(start)}`, lines: lineOf(end) - lineOf(start) + 1 });
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path));
  return found;
}

describe('functions', () => {
  it('have at most sixty lines', () => {
    const product = ['rules', 'contract', 'mqtt', 'server', 'console', 'sdk', 'simulators', 'cli'];
    const functions = code
      .filter(({ part, path }) => product.includes(part) && /\.tsx?$/.test(path))
      .flatMap(functionsOf);
    expect(functions.length).toBeGreaterThan(3_000);
    expect(functions.filter(({ lines }) => lines > 60)).toEqual([]);
  });
});

/** Mutations that are sent without being awaited, and whose error is not shown. */
function unheard({ path, text }: SourceFile): string[] {
  const names = new Set([...text.matchAll(/\b(\w+)\.mutate\(/g)].map(([, name = '']) => name));
  return [...names].filter(name => !text.includes(`${name}.error`)).map(name => `${path}: ${name}`);
}

describe('a button in the console', () => {
  it('shows an error if its call fails', () => {
    // The steps of the tour are marked in passing, without a request by the user.
    const silent = ['console/guide/onboarding/useOnboarding.ts: edit'];
    const pressed = code.filter(({ part, text }) => part === 'console' && text.includes('.mutate('));
    expect(pressed.length).toBeGreaterThan(10);
    expect(pressed.flatMap(unheard)).toEqual(silent);
  });
});
