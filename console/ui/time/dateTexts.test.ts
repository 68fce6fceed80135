import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { absoluteTime, timeFormat } from './dateTexts.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

const hour = { hour: '2-digit', minute: '2-digit' } as const;
const day = { day: 'numeric', month: 'short' } as const;
const written: [string, Intl.DateTimeFormatOptions][] = [
  ['HH:mm:ss.SSS', { ...hour, second: '2-digit', fractionalSecondDigits: 3 }],
  ['D MMM, HH:mm', { ...day, ...hour }],
  ['D MMM YYYY', { ...day, year: 'numeric' }],
  ['ddd D MMM', { ...day, weekday: 'short' }],
  ['dddd D MMM', { ...day, weekday: 'long' }],
  ['DD MMM', { ...day, day: '2-digit' }],
  ['D MMMM', { ...day, month: 'long' }],
];

const moments = fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

describe('a time as text', () => {
  it.each(['Europe/Tallinn', 'America/St_Johns', 'Pacific/Chatham', 'UTC'])(
    'reads in %s as British English has it',
    zone => {
      process.env.TZ = zone;
      fc.assert(
        fc.property(moments, fc.constantFrom(...written), (at, [pattern, options]) => {
          expect(timeFormat(pattern)(at)).toBe(new Intl.DateTimeFormat('en-GB', options).format(at));
          const inUtc = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
          expect(timeFormat(pattern, 'UTC')(at)).toBe(inUtc.format(at));
        }),
        { numRuns: 500 },
      );
    },
  );

  it.each([
    ['Europe/Tallinn', '2026-06-01T10:00:00Z', '1 Jun 2026, 13:00:00 UTC+3'],
    ['Europe/Tallinn', '2026-12-01T10:00:00Z', '1 Dec 2026, 12:00:00 UTC+2'],
    ['America/St_Johns', '2026-12-01T10:00:00Z', '1 Dec 2026, 06:30:00 UTC-3:30'],
    ['UTC', '2026-12-01T10:00:00Z', '1 Dec 2026, 10:00:00 UTC'],
  ])('names its zone by how far that is ahead: %s', (zone, time, text) => {
    process.env.TZ = zone;
    expect(absoluteTime(time)).toBe(text);
  });
});
