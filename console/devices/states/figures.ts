import { figureMax } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';

export const exactText = (count: number) => numberText(count);

/** Counts stop at a bound, which is shown as "10,000+". */
export function figureText(count: number): string {
  return exactText(count) + (count >= figureMax ? '+' : '');
}
