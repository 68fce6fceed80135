import { numberText } from '#rules/text/numberText.ts';

const steps = [1, 2, 3, 4, 5, 6, 8, 10];

/** The top of a scale: a round number, even if possible, not far above the highest value. */
export function niceTop(value: number): number {
  if (value <= 2) return 2;
  const size = 10 ** Math.floor(Math.log10(value));
  return steps.map(step => step * size).find(top => top >= value) ?? value;
}

export interface RangeScale {
  bottom: number;
  top: number;
  /** Round values from the top down, including both ends. */
  marks: readonly number[];
}

/** A scale for values that need not start at zero: round ends, close to the minimum and the maximum. */
export function rangeScale(least: number, most: number): RangeScale {
  const largest = Math.max(Math.abs(least), Math.abs(most));
  const own = most > least ? most - least : Math.max(largest * 0.02, 1e-9 + (most === 0 ? 1 : 0));
  // Marks closer than this could not be told apart.
  const span = Math.max(own, largest * 1e-14);
  const size = 10 ** Math.floor(Math.log10(span / 2));
  const step = [1, 2, 2.5, 5, 10].map(part => part * size).find(one => span / one <= 3) ?? span;
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)];
  // A value that never changed is in the middle.
  const [low, high] = first === last ? [first - 1, last + 1] : [first, last];
  const marks = Array.from({ length: high - low + 1 }, (_, i) => timesStep(high - i, step));
  return { bottom: timesStep(low, step), top: timesStep(high, step), marks };
}

/**
 * Without the extra digits that binary fractions produce. A step has at most two digits, so a multiple has at most two
 * more than its factor: fewer would merge the marks of large values that are close to each other.
 */
function timesStep(factor: number, step: number): number {
  return Number((factor * step).toPrecision(Math.max(3, String(Math.abs(factor)).length + 2)));
}

/** "8 k", "1.2 M": for the scale of a chart. */
export function shortCount(value: number): string {
  if (value >= 1e6) return `${trimmed(value / 1e6)} M`;
  return value >= 1e4 ? `${trimmed(value / 1e3)} k` : numberText(value);
}

const trimmed = (value: number) => String(Math.round(value * 10) / 10);
