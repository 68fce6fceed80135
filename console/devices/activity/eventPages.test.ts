import { expect, test } from 'vitest';
import type { DeviceEvent } from '#contract/deviceState.ts';
import { type EventPages, pageSize, withFirst } from './eventPages.ts';

const event = (n: number) => ({ id: String(n) }) as DeviceEvent;
const empty: EventPages = { pages: [[]], pageParams: [undefined] };
const after = (count: number, eventsMax: number) =>
  Array.from({ length: count }, (_, n) => event(n + 1)).reduce(
    (data, one) => withFirst(data, one, eventsMax),
    empty,
  );
const ids = ({ pages }: EventPages) => pages.flat().map(({ id }) => Number(id));

test('reading all pages again brings back every event that came while the page was open', () => {
  for (const count of [1, 50, 51, 130, 299]) {
    const data = after(count, 300);
    expect(ids(data)).toEqual(Array.from({ length: count }, (_, n) => count - n));
    expect(data.pages.length * pageSize).toBeGreaterThanOrEqual(count);
    expect(data.pageParams).toEqual([undefined, ...data.pages.slice(0, -1).map(page => page.at(-1)?.id)]);
  }
});

test('beyond the limit the oldest events make room, and the last page stays full, so that they can be read', () => {
  const data = after(330, 300);
  expect(ids(data)).toEqual(Array.from({ length: 300 }, (_, n) => 330 - n));
  expect(data.pages.map(({ length }) => length)).toEqual([50, 50, 50, 50, 50, 50]);
});

test('an event that a new read already brought is not shown twice', () => {
  const data = after(120, 300);
  expect(withFirst(data, event(60), 300)).toBe(data);
});
