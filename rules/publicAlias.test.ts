import { expect, it } from 'vitest';
import { fastest } from '#test/fastest.ts';
import { isPublicAlias } from './publicAlias.ts';

it.each(['a', 'Nordlys', 'nordlys-home-2', '7', 'a--b', 'x'.repeat(63)])('%s is a public alias', text => {
  expect(isPublicAlias(text)).toBe(true);
});

it.each(['', '-', 'a-', '-a', 'a b', 'a_b', 'å', 'a.b', 'a/b', 'a\n', 'x'.repeat(64)])(
  '%s is not a public alias',
  text => {
    expect(isPublicAlias(text)).toBe(false);
  },
);

it('a long hostile text is checked in linear time', () => {
  const hostile = `${'a-'.repeat(31)}!`;
  expect(isPublicAlias(hostile)).toBe(false);
  expect(fastest(() => isPublicAlias(hostile))).toBeLessThan(10);
});
