import { expect, it } from 'vitest';
import { changedNames } from './changedNames.ts';
import { differenceOf, excerpt, type Words } from './differences.ts';

interface Values {
  name: string;
  tags: string[];
  on: boolean;
  days: string;
}
const before: Values = { name: 'Nordlys', tags: ['a'], on: false, days: '7' };
const words: Words<Values> = {
  name: 'Name',
  tags: 'Tags',
  on: 'On-demand provisioning',
  days: { label: 'Alerts stay', say: (days, other) => `${days} days, not ${other}` },
};

it('a field counts as changed if its value differs, not its identity', () => {
  expect(changedNames(before, { ...before, tags: ['a'] })).toEqual([]);
  expect(changedNames(before, { ...before, tags: ['a', 'b'], days: '8' })).toEqual(['tags', 'days']);
});

it("a difference has the field's label and both values as shown on screen", () => {
  const theirs = { ...before, name: '', on: true, days: '30' };
  const of = (name: keyof Values) =>
    differenceOf(name, { words, base: before, theirs, mine: { name: 'Polaris' } });
  expect(of('name')).toEqual({ label: 'Name', theirs: '(empty)', yours: 'Polaris' });
  expect(of('on')).toEqual({ label: 'On-demand provisioning', theirs: 'ENABLED', yours: undefined });
  expect(of('days')).toMatchObject({ label: 'Alerts stay', theirs: '30 days, not 7' });
});

it('of a long text, the part around the difference is shown', () => {
  const text = (word: string) => `${'a'.repeat(1000)} ${word} ${'b'.repeat(1000)}`;
  expect(excerpt(text('mine'), text('theirs'))).toMatch(/^…a+ mine b+…$/);
  expect(excerpt('short', text('x'))).toBe('short');
});
