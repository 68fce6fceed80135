import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberText } from './numberText.ts';

describe('a number as text', () => {
  it('groups thousands and drops trailing zeros', () => {
    expect([0, 999, 1_000, 1_234_567, 1.5, 1234.5678, -1_000].map(value => numberText(value))).toEqual([
      '0',
      '999',
      '1,000',
      '1,234,567',
      '1.5',
      '1,234.568',
      '-1,000',
    ]);
    expect([numberText(1.25, 1), numberText(1999.6, 0)]).toEqual(['1.3', '2,000']);
  });

  it('is what the browser would write for counts, thousandths and what is no number', () => {
    const values = fc.oneof(
      fc.maxSafeInteger(),
      fc.integer().map(thousandths => thousandths / 1_000),
      fc.constantFrom(1e15, 1e21, -1e300, Number.NaN, Number.POSITIVE_INFINITY),
    );
    fc.assert(
      fc.property(values, value => {
        expect(numberText(value)).toBe(value.toLocaleString('en'));
      }),
      { numRuns: 2_000 },
    );
  });
});
