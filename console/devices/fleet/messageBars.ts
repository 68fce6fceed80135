import type { Bar } from '#console/ui/chart/Bars.tsx';
import { hourText, utcDayText, weekdayHourText } from '#console/ui/time/dateTexts.ts';
import type { MessageHours, TrafficMonth } from '#contract/stats.ts';
import { dayMs, hourMs } from '#rules/time/durations.ts';

/** One or two bars across the whole panel say little, so the quiet time before them is shown as well. */
const barsMin = 8;

/**
 * A bar for each hour since the first messages, and for some hours before if there are few; quiet hours are included.
 */
export function barsOfHours(hours: MessageHours['hours'], from: number, to: number, withDay: boolean): Bar[] {
  const counts = new Map(hours.map(one => [Date.parse(one.hour), one]));
  const first = Math.min(...[...counts.keys()].filter(at => at > from - hourMs));
  const bars: Bar[] = [];
  const begin = Math.min(first, to - (barsMin - 1) * hourMs);
  for (let at = Math.floor(begin / hourMs) * hourMs; at <= to; at += hourMs) {
    const { incoming = 0, outgoing = 0 } = counts.get(at) ?? {};
    bars.push({ label: (withDay ? weekdayHourText : hourText)(at), values: [incoming, outgoing] });
  }
  // The same hour of the day before would have the same label.
  return withDay ? bars : bars.slice(-24);
}

/** The same by day. */
export function barsOfDays(months: readonly TrafficMonth[], to: number): Bar[] {
  const days = months.flatMap(month => month.days);
  const counts = new Map(days.map(one => [one.day, one.counts]));
  const busy = days
    .filter(({ counts: c }) => c.deviceMessagesIn + c.deviceMessagesOut > 0)
    .map(one => one.day);
  const first = Math.min(...busy.map(day => Date.parse(`${day}T00:00:00Z`)));
  const begin = Math.min(first, to - (barsMin - 1) * dayMs);
  const bars: Bar[] = [];
  for (let at = Math.floor(begin / dayMs) * dayMs; at <= to; at += dayMs) {
    const c = counts.get(new Date(at).toISOString().slice(0, 10));
    bars.push({ label: utcDayText(at), values: [c?.deviceMessagesIn ?? 0, c?.deviceMessagesOut ?? 0] });
  }
  return bars;
}

/** The labels of the start, the middle and the end. */
export function ticksOf(bars: readonly Bar[]): [string, string, string] {
  return [bars[0]?.label ?? '', bars[Math.floor(bars.length / 2)]?.label ?? '', 'now'];
}

/** The numbers of messages from and to devices. */
export function sumOfBars(bars: readonly Bar[]): [number, number] {
  return bars.reduce<[number, number]>(
    ([incoming, outgoing], { values: [a = 0, b = 0] }) => [incoming + a, outgoing + b],
    [0, 0],
  );
}
