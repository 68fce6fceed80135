import { expect, it } from 'vitest';
import { barsOfDays, barsOfHours, sumOfBars, ticksOf } from './messageBars.ts';

const to = Date.parse('2026-11-20T12:30:00Z');
const at = (hour: string, incoming: number) => ({
  hour: `2026-11-20T${hour}:00:00.000Z`,
  incoming,
  outgoing: 1,
});

it('hours start with the first messages, and include quiet hours', () => {
  const bars = barsOfHours([at('02', 4), at('11', 2)], to - 24 * 3_600_000, to, false);
  const quiet = [0, 0];
  const [first, ...others] = bars.map(({ values }) => values);
  expect(first).toEqual([4, 1]);
  expect(others).toEqual([...Array(8).fill(quiet), [2, 1], quiet]);
  expect(sumOfBars(bars)).toEqual([6, 2]);
});

it('the first hour with messages is shown with quiet hours before it', () => {
  const bars = barsOfHours([at('12', 4)], to - 24 * 3_600_000, to, false);
  expect(bars.map(({ values: [incoming] }) => incoming)).toEqual([0, 0, 0, 0, 0, 0, 0, 4]);
  expect(new Set(ticksOf(bars)).size).toBe(3);
});

it('messages from before the range are not included', () => {
  expect(sumOfBars(barsOfHours([at('02', 4)], to - 3_600_000, to, false))).toEqual([0, 0]);
});

it('days start with the first messages', () => {
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
    { day: '2026-11-08', counts: none },
    { day: '2026-11-11', counts },
  ];
  const bars = barsOfDays([{ month: '2026-11', counts, days }], to);
  expect(bars).toHaveLength(10);
  expect(bars[0]).toEqual({ label: '11 Nov', values: [3, 0] });
  expect(bars.at(-1)).toEqual({ label: '20 Nov', values: [0, 0] });
});
