import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const inTicks = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

it('every place that CONTRIBUTING names for a change is there', () => {
  const [, table = ''] = /### Where does a change go\?\n([\s\S]*?)\n## /.exec(read('CONTRIBUTING.md')) ?? [];
  const rows = table.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| change'));
  expect(rows.length).toBeGreaterThanOrEqual(20);
  const places = rows.flatMap(inTicks).filter(name => name.includes('/'));
  expect(places.filter(place => !existsSync(join(root, place)))).toEqual([]);
});

it('every dependency has its line in the decision, and no line is about one that is gone', () => {
  const named = new Set(
    read('docs/decisions/0007-dependencies.md')
      .split('\n')
      .flatMap(line => (line.startsWith('| ') ? inTicks(line.split('|')[1] ?? '') : inTicks(line)))
      .filter(name => /^@?[a-z][\w./*-]*$/.test(name)),
  );
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  const present = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const isNamed = (name: string) => named.has(name) || named.has(`${name.split('/')[0]}/*`);
  expect(present.filter(name => !isNamed(name))).toEqual([]);
  const isThere = (name: string) =>
    name.endsWith('/*') ? present.some(one => one.startsWith(name.slice(0, -1))) : present.includes(name);
  expect([...named].filter(name => !isThere(name))).toEqual([]);
});
