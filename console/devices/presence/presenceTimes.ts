import { serverNow } from '#console/core/serverClock.ts';
import { hourText, secondText, weekdayDayText, weekdayText } from '#console/ui/time/dateTexts.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';

export function tickText(at: number, spanMs: number): string {
  return (spanMs > 2 * dayMs ? weekdayText : hourText)(at);
}

/** "11:32 – 11:48", with the day unless it is today, with seconds if it was short, and "now" while it lasts. */
export function spanText({ from, to }: { from: number; to: number }, now = serverNow()): string {
  const clock = to - from < 2 * minuteMs ? secondText : hourText;
  const isToday = weekdayDayText(from) === weekdayDayText(now);
  const end = now - to < 10_000 ? 'now' : clock(to);
  return `${isToday ? '' : `${weekdayDayText(from)}, `}${clock(from)} – ${end}`;
}
