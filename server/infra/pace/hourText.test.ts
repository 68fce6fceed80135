import { describe, expect, it } from 'vitest';
import { dayText, hourText } from './hourText.ts';

describe('the hour that a call is counted in', () => {
  it('is that of its time, whatever hour was used before', () => {
    const times = ['2026-11-22T09:59:59.999Z', '2026-11-22T10:00:00.000Z', '2026-11-22T09:00:00.000Z'];
    expect(times.map(time => hourText(new Date(time)))).toEqual([
      '2026-11-22T09:00Z',
      '2026-11-22T10:00Z',
      '2026-11-22T09:00Z',
    ]);
  });

  it('includes its day', () => {
    expect(dayText(new Date('2026-11-22T23:59:59.999Z'))).toBe('2026-11-22');
    expect(dayText(new Date('2026-11-23T00:00:00.000Z'))).toBe('2026-11-23');
  });
});
