import { figureMax } from '#contract/stats.ts';

export const exactText = (count: number) => count.toLocaleString('en');

/** Counts stop at a bound, which is shown as "10,000+". */
export function figureText(count: number): string {
  return exactText(count) + (count >= figureMax ? '+' : '');
}
