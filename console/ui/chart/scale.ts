const steps = [1, 2, 3, 4, 5, 6, 8, 10];

/** The top of a scale: round, even where it can be, and not much above the highest value. */
export function niceTop(value: number): number {
  if (value <= 2) return 2;
  const size = 10 ** Math.floor(Math.log10(value));
  return steps.map(step => step * size).find(top => top >= value) ?? value;
}

/** "8 k", "1.2 M": for the scale of a chart. */
export function shortCount(value: number): string {
  if (value >= 1e6) return `${trimmed(value / 1e6)} M`;
  return value >= 1e4 ? `${trimmed(value / 1e3)} k` : value.toLocaleString('en');
}

const trimmed = (value: number) => String(Math.round(value * 10) / 10);
