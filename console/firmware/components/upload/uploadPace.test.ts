import { expect, it } from 'vitest';
import { Pace, timeLeft } from './uploadPace.ts';
import { partsOf, unlike } from './uploadParts.ts';

it('the pace of an upload is that of its last seconds, without breaks', () => {
  const pace = new Pace();
  expect(pace.bytesPerS(0)).toBeUndefined();
  for (let second = 0; second <= 20; second++) pace.add(second < 10 ? 1 : 100, second * 1000);
  expect(pace.bytesPerS(20_000)).toBeCloseTo(100);
  pace.restart();
  pace.add(0, 60_000);
  pace.add(50, 61_000);
  expect(pace.bytesPerS(61_000)).toBe(50);
});

it.each([
  [100, 0, undefined],
  [100, undefined, undefined],
  [100, 100, 'a few seconds left'],
  [2350, 100, 'about 25 s left'],
  [6100, 100, 'about 2 min left'],
  [400_000, 100, 'about 1 h 7 min left'],
])('%i bytes at %s a second: %s', (bytes, bytesPerS, text) => {
  expect(timeLeft(bytes, bytesPerS || undefined)).toBe(text);
});

it('the parts cover the file without gaps, and the last one has the remainder', () => {
  expect(partsOf(25, 10)).toEqual([
    { number: 1, from: 0, to: 10 },
    { number: 2, from: 10, to: 20 },
    { number: 3, from: 20, to: 25 },
  ]);
  expect(partsOf(20, 10)).toHaveLength(2);
});

it('an upload resumes only with the file it began with', () => {
  const begun = { filename: 'a.img', sizeBytes: 3 };
  const file = { name: 'a.img', size: 3, lastModified: 7 };
  expect(unlike(file, begun)).toBeUndefined();
  expect(unlike({ ...file, name: 'b.img' }, begun)).toBe('name');
  expect(unlike({ ...file, size: 4 }, begun)).toBe('size');
  expect(unlike(file, { ...begun, modifiedMs: 7 })).toBeUndefined();
  expect(unlike(file, { ...begun, modifiedMs: 6 })).toBe('content');
});
