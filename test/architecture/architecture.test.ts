import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const folders = readdirSync(join(root, 'server'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name);

it('the architecture page names every folder of the server', () => {
  const words = new Set(page.match(/\w+/g));
  expect(folders.filter(name => !words.has(name))).toEqual([]);
});

it('the nouns on the architecture page are folders of the server', () => {
  const [, nouns = ''] = /\nnouns ([^│]*)│/.exec(page) ?? [];
  const named = nouns.match(/\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(name => !folders.includes(name))).toEqual([]);
});
