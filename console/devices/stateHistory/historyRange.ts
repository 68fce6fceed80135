import type { UrlState } from '#console/core/urlState.ts';
import { dayText, hourText, momentText } from '#console/ui/time/dateTexts.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';

export const spans = [
  { value: '1h', label: '1 h' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: 'custom', label: 'Custom' },
] as const;
export type Span = (typeof spans)[number]['value'];

/** The length of each range, and what its end is rounded up to, so that the query stays the same for a while. */
const lengths: Record<Exclude<Span, 'custom'>, { ms: number; roundMs: number; words: string }> = {
  '1h': { ms: hourMs, roundMs: minuteMs, words: 'the last hour' },
  '24h': { ms: dayMs, roundMs: 10 * minuteMs, words: 'the last 24 hours' },
  '7d': { ms: 7 * dayMs, roundMs: hourMs, words: 'the last 7 days' },
  '30d': { ms: 30 * dayMs, roundMs: 6 * hourMs, words: 'the last 30 days' },
};

export const spanMs = (span: Exclude<Span, 'custom'>): number => lengths[span].ms;

export interface HistoryRange {
  span: Span;
  from: number;
  to: number;
  /** "the last 24 hours" */
  words: string;
}

/** The range in the address; the default is 24 hours. Undefined: not a valid range yet. */
export function rangeOf({ history, from, to }: UrlState, now: number): HistoryRange | undefined {
  const span = spans.find(({ value }) => value === history)?.value ?? '24h';
  if (span !== 'custom') {
    const { ms, roundMs, words } = lengths[span];
    const end = Math.ceil(now / roundMs) * roundMs;
    return { span, from: end - ms, to: end, words };
  }
  const [begin, end] = [from, to].map(time => Date.parse(time ?? ''));
  if (begin === undefined || end === undefined || !(begin < end) || end - begin > 730 * dayMs)
    return undefined;
  return { span, from: begin, to: end, words: 'this time' };
}

/** The labels below a chart. */
export function ticksOf({ from, to, span }: HistoryRange): { at: number; text: string }[] {
  const format = to - from > 2 * dayMs ? dayText : hourText;
  return [0, 0.25, 0.5, 0.75, 1].map(part => {
    const at = from + part * (to - from);
    return { at, text: part === 1 && span !== 'custom' ? 'now' : format(at) };
  });
}

/** The name of a point. */
export function pointText(at: number, { from, to }: Pick<HistoryRange, 'from' | 'to'>): string {
  return (to - from > dayMs ? momentText : hourText)(at);
}
