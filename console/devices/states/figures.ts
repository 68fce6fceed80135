import { figureMax } from '#contract/stats.ts';

export const exactText = (count: number) => count.toLocaleString('en');

/** Counted up to a bound, and at it "10,000+". */
export function figureText(count: number): string {
  return exactText(count) + (count >= figureMax ? '+' : '');
}
