import { expect, it } from 'vitest';
import { dividedNumbers, historyPropertiesMax, numbersSaid } from './stateNumbers.ts';

it.each([
  [
    { t: 21.5, mode: 'heat', on: true, off: false },
    { t: 21.5, on: 1, off: 0 },
  ],
  [{ power: { watts: 5, of: { phase: 1 } } }, { 'power.watts': 5, 'power.of.phase': 1 }],
  [
    { 'a.b': 1, 'c\\': { d: 2 } },
    { 'a\\.b': 1, 'c\\\\.d': 2 },
  ],
  [{ list: [1, 2], text: '5', none: null }, undefined],
  [{ '': 1, [`${'x'.repeat(201)}`]: 1, huge: 1e200 }, undefined],
  [JSON.parse('{"__proto__":{"x":1}}'), undefined],
  [{ a: { b: { c: { d: { e: { f: 1, g: { h: 2 } } } } } } }, { 'a.b.c.d.e.f': 1 }],
])('of %j there is a history of %j', (report, numbers) => {
  expect(numbersSaid(report, report)).toEqual(numbers && JSON.stringify(numbers));
});

it('a device with too many numbers has a history of the first ones by name', () => {
  const state = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`n${String(i).padStart(2, '0')}`, i]),
  );
  const { kept, left } = dividedNumbers(state);
  expect([kept.size, left.length, left[0]]).toEqual([historyPropertiesMax, 10, 'n50']);
  expect(numbersSaid(state, { n49: 1, n50: 2 })).toBe('{"n49":1}');
  expect(numbersSaid(state, { n50: 2 })).toBeUndefined();
});
