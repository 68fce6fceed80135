import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const text = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
const installed = Object.entries(packages).filter(([path]) => path !== '');

// If a registry lacks a package for another operating system, npm writes a lock file that a clean machine refuses.
test('every package in the lock is complete', () => {
  const broken = installed.filter(([, entry]) => !entry.link && !(entry.version && entry.integrity));
  expect(broken.map(([path]) => path)).toEqual([]);
  expect(installed.length).toBeGreaterThan(100);
});

test('every optional dependency of a package is in the lock', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(name => !isReachable(path, name)),
  );
  expect(missing).toEqual([]);
});

// URLs would tie the lock file to the registry it was written with.
test('the lock has no download URLs', () => {
  expect(installed.filter(([, entry]) => entry.resolved).map(([path]) => path)).toEqual([]);
});

/** Searches like Node: beside the package that requires it, or in a folder above. */
function isReachable(from: string, name: string): boolean {
  const parts = from.split('/node_modules/');
  return parts.some((_, depth) => {
    const above = parts.slice(0, parts.length - depth).join('/node_modules/');
    return `${above}/node_modules/${name}` in packages || `node_modules/${name}` in packages;
  });
}
