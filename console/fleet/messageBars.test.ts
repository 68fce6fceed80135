import { expect, it } from 'vitest';
import { barsOfDays, barsOfHours, sumOfBars, ticksOf } from './messageBars.ts';

const to = Date.parse('2026-11-20T12:30:00Z');
const at = (hour: string, incoming: number) => ({
  hour: `2026-11-20T${hour}:00:00.000Z`,
  incoming,
  outgoing: 1,
});

it('hours begin where there are messages, and a quiet one between is there', () => {
  const bars = barsOfHours([at('09', 4), at('11', 2)], to - 24 * 3_600_000, to, false);
  expect(bars.map(({ values }) => values)).toEqual([
    [4, 1],
    [0, 0],
    [2, 1],
    [0, 0],
  ]);
  expect(sumOfBars(bars)).toEqual([6, 2]);
});

it('no hour is named twice, however few there are', () => {
  const ticks = (...labels: string[]) => ticksOf(labels.map(label => ({ label, values: [1] })));
  expect(ticks('9')).toEqual(['', '9', '']);
  expect(ticks('9', '10')).toEqual(['9', '', 'now']);
  expect(ticks('9', '10', '11')).toEqual(['9', '10', 'now']);
});

it('what is older than the range is not in it', () => {
  expect(barsOfHours([at('02', 4)], to - 3_600_000, to, false)).toHaveLength(1);
});

it('days begin where there are messages', () => {
  const counts = {
    deviceMessagesIn: 3,
    deviceMessagesOut: 0,
    appCalls: 0,
    serviceCalls: 0,
    proxyCalls: 0,
    apiCalls: 9,
    bytes: 0,
  };
  const none = { ...counts, deviceMessagesIn: 0 };
  const days = [
    { day: '2026-11-16', counts: none },
    { day: '2026-11-18', counts },
  ];
  const bars = barsOfDays([{ month: '2026-11', counts, days }], to);
  expect(bars.map(({ label, values }) => [label, values[0]])).toEqual([
    ['18 Nov', 3],
    ['19 Nov', 0],
    ['20 Nov', 0],
  ]);
});
