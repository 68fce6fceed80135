import { expect, test } from 'vitest';
import { boundedClaims } from './claims.ts';

test('usual claims about a person are stored unchanged', () => {
  const claims = {
    sub: 'u-1',
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada Łukasz 🧭',
    updated_at: 1_790_000_000,
    groups: ['a', 'b'],
    address: { country: 'NO', lines: ['x'] },
    nothing: null,
  };
  expect(boundedClaims(claims)).toEqual(claims);
});

test('names and texts that the database refuses are made valid at any depth', () => {
  const hostile = JSON.parse('{"a\\u0000":"b\\ud800","c":{"d\\u0000":["e\\u0000"]},"f":"\\\\u0000"}');
  expect(boundedClaims(hostile)).toEqual({
    'a\uFFFD': 'b\uFFFD',
    c: { 'd\uFFFD': ['e\uFFFD'] },
    f: '\\u0000',
  });
});

test('claims are limited in number, length and depth', () => {
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`n${i}`, i]));
  const claims = boundedClaims({
    deep,
    long: 'x'.repeat(100_000),
    many,
    wide: Array(5000).fill('y'.repeat(50)),
  });
  expect(JSON.stringify(claims).length).toBeLessThan(5000);
  expect(Object.keys(boundedClaims(many))).toHaveLength(100);
});

test('__proto__ is not a claim', () => {
  const claims = boundedClaims(
    JSON.parse('{"sub":"u","__proto__":{"admin":true},"x":{"__proto__":{"y":1}}}'),
  );
  expect(claims).toEqual({ sub: 'u', x: {} });
  expect('admin' in claims).toBe(false);
});
