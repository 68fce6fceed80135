import { numberText } from '#rules/text/numberText.ts';
import { dayS, hourS } from '#rules/time/durations.ts';
import { userSessionsTtl } from '#rules/time/lifetimes.ts';

/** The usual lengths, in seconds. */
export const usualLengths = [1, 7, 30, 90].map(days => days * dayS);

export const lengthUnits = [
  { value: 'days', label: 'days', seconds: dayS },
  { value: 'hours', label: 'hours', seconds: hourS },
  { value: 'seconds', label: 'seconds', seconds: 1 },
] as const;

export type LengthUnit = (typeof lengthUnits)[number]['value'];

/** "30 days", "36 hours", "5,000 seconds": in the largest unit in which it is a whole number. */
export function lengthText(lengthS: number): string {
  const { count, unit } = partsOf(lengthS);
  return `${numberText(count)} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

/** "30 d", on a button. */
export function shortLength(lengthS: number): string {
  const { count, unit } = partsOf(lengthS);
  return `${numberText(count)} ${unit.charAt(0)}`;
}

export function partsOf(lengthS: number): { count: number; unit: LengthUnit } {
  const { value, seconds } = lengthUnits.find(unit => lengthS % unit.seconds === 0) ?? lengthUnits[2];
  return { count: lengthS / seconds, unit: value };
}

/** The typed length in seconds; undefined if it is not a whole number in the range. */
export function lengthOf(count: string, unit: LengthUnit): number | undefined {
  const seconds = lengthUnits.find(({ value }) => value === unit)?.seconds ?? 1;
  const lengthS = /^\d{1,9}$/.test(count.trim()) ? Number(count) * seconds : Number.NaN;
  return lengthS >= userSessionsTtl.minS && lengthS <= userSessionsTtl.maxS ? lengthS : undefined;
}
