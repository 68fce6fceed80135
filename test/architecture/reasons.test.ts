import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#contract/all.ts';
import { type Reason, reasons } from '#contract/problem.ts';

const root = join(import.meta.dirname, '../..');
const sources = ['contract', 'server', 'console', 'cli', 'test', 'e2e', 'sdk']
  .filter(folder => readdirSync(root).includes(folder))
  .flatMap(folder => readdirSync(join(root, folder), { recursive: true }).map(path => `${folder}/${path}`))
  .filter(
    path =>
      /\.tsx?$/.test(path) &&
      !path.startsWith('contract/reasons') &&
      path !== 'test/architecture/reasons.test.ts',
  )
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const tests = sources.filter(({ path }) => /\.(test|e2e)\.tsx?$/.test(path));
const code = sources.filter(({ path }) => !tests.some(test => test.path === path));
const all = Object.keys(reasons) as Reason[];
const names = (reason: Reason) => new RegExp(`\\b${reason}\\b`);

/** Reasons that only the console uses, for errors it detects itself. The server must not use them. */
const ofTheConsole: readonly Reason[] = ['ORG_LOOKUP_FAILED'];

describe('every reason', () => {
  it('is declared once', async () => {
    const parts = readdirSync(join(root, 'contract/reasons')).filter(name => name.endsWith('Reasons.ts'));
    const declared = await Promise.all(parts.map(name => import(join(root, 'contract/reasons', name))));
    const names = declared.flatMap(part =>
      Object.values(part).flatMap(reasons => Object.keys(reasons as object)),
    );
    expect(names.toSorted()).toEqual(all.toSorted());
  });

  it('is used somewhere', () => {
    const silent = all.filter(reason => !code.some(({ text }) => names(reason).test(text)));
    expect(silent.filter(reason => !ofTheConsole.includes(reason))).toEqual([]);
  });

  it('that an endpoint declares is used in the server', () => {
    const said = code.filter(({ path }) => path.startsWith('server/'));
    const declared = new Set(endpoints.flatMap(endpoint => endpoint.reasons));
    expect([...declared].filter(reason => !said.some(({ text }) => names(reason).test(text)))).toEqual([]);
  });

  it('that an endpoint declares is triggered in a test', () => {
    const declared = new Set(endpoints.flatMap(endpoint => endpoint.reasons));
    expect([...declared].filter(reason => !tests.some(({ text }) => names(reason).test(text)))).toEqual([]);
  });

  it('has an error status and a complete sentence', () => {
    for (const [status, sentence] of Object.values(reasons)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });
});
