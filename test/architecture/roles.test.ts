import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callsOf, nouns } from '#contract/all.ts';
import { type Endpoint, type Role, roles } from '#contract/endpoint.ts';

const file = join(import.meta.dirname, '../../docs/roles.md');
const marks = { begin: '<!-- the table begins: made from the contract -->', end: '<!-- the table ends -->' };

/** The role that each call on a project requires, as declared in the contract. */
function table(): string {
  const rows = Object.entries(nouns).flatMap(([noun, calls]) => {
    const ofProjects = callsOf(calls).filter(({ access }) => typeof access === 'object');
    return ofProjects.map((call, at) => rowOf(at === 0 ? noun : '', call));
  });
  return ['| | call | viewer | developer | owner |', '|---|---|---|---|---|', ...rows].join('\n');
}

function rowOf(noun: string, { name, method, path, access }: Endpoint): string {
  const enough = (role: Role) =>
    typeof access === 'object' && roles.indexOf(role) >= roles.indexOf(access.role);
  return `| ${noun} | \`${name}\` ${method} \`${path}\` | ${roles.map(role => (enough(role) ? '✓' : '')).join(' | ')} |`;
}

// `npx vitest run test/architecture/roles.test.ts -u` updates the table.
it('the table of roles in the docs matches the contract', async () => {
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(marks.begin);
  const after = rest?.split(marks.end)[1];
  expect(after, 'docs/roles.md has its marks').toBeDefined();
  const expected = `${before}${marks.begin}\n\n${table()}\n\n${marks.end}${after}`;
  await expect(expected).toMatchFileSnapshot(file);
});
