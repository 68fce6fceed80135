import type { UrlState } from '#console/core/urlState.ts';
import { type Span, spanMs, spans } from '#console/devices/stateHistory/historyRange.ts';
import { type TimelineKind, timelineKinds } from '#contract/timeline.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';

export const periodOf = ({ period }: UrlState): Span =>
  spans.find(({ value }) => value === period)?.value ?? '24h';

/**
 * The time in the address. A period that ends now includes what comes while the page is open. Undefined: not a valid
 * time yet.
 */
export function rangeOf(url: UrlState, now: number): { begin: string; end: string } | undefined {
  const period = periodOf(url);
  if (period !== 'custom') return iso(now - spanMs(period), now + 10 * minuteMs);
  const [begin, end] = [Date.parse(url.from ?? ''), Date.parse(url.to ?? '')];
  return begin < end && end - begin <= 31 * dayMs ? iso(begin, end) : undefined;
}

const iso = (begin: number, end: number) => ({
  begin: new Date(begin).toISOString(),
  end: new Date(end).toISOString(),
});

/** The kinds in the address; none means all. */
export const kindsOf = ({ kinds = '' }: UrlState): TimelineKind[] =>
  timelineKinds.filter(kind => kinds.split(',').includes(kind));
