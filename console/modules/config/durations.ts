import { numberText } from '#rules/text/numberText.ts';
import { dayS, hourS } from '#rules/time/durations.ts';

export const durationUnits = [
  { id: 's', label: 'seconds', seconds: 1 },
  { id: 'min', label: 'minutes', seconds: 60 },
  { id: 'h', label: 'hours', seconds: hourS },
  { id: 'd', label: 'days', seconds: dayS },
] as const;

/** The largest unit in which a duration is a whole number. */
export function unitFor(seconds: number | undefined): string {
  if (!seconds) return 's';
  return durationUnits.findLast(unit => seconds % unit.seconds === 0)?.id ?? 's';
}

/** 300 → "5 minutes" */
export function durationWords(seconds: number): string {
  const unit = durationUnits.find(({ id }) => id === unitFor(seconds)) ?? durationUnits[0];
  const count = seconds / unit.seconds;
  return `${numberText(count)} ${count === 1 ? unit.label.slice(0, -1) : unit.label}`;
}
