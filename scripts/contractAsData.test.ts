import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/**
 * In a separate Node process, because the plugin imports modules as Node does, and the test runner does it differently.
 */
function load(file: string): { code: string } | null {
  const program = `
    const { contractAsData } = await import('./scripts/contractAsData.ts');
    const loaded = await contractAsData().load(process.cwd() + '/contract/${file}');
    console.log(JSON.stringify(loaded ?? null));`;
  const root = new URL('..', import.meta.url);
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root }).toString(),
  );
}

test('the browser gets endpoints as plain data, without the schema library', () => {
  const code = load('account.ts')?.code ?? '';
  expect(code).toContain('export const logIn = {"name":"logIn","method":"POST","path":"/auth/password"');
  expect(code).not.toMatch(/zod|import |summary/);
});

test('constants are kept, and shapes are removed', () => {
  const code = load('paging.ts')?.code ?? '';
  expect(code).toContain('export const pageSizes = [10,25,50,100];');
  expect(code).not.toContain('pagingQuery');
});

test('modules without shapes are unchanged', () => {
  expect(load('client.ts')).toBeNull();
});
