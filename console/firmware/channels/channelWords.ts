import { numberText } from '#rules/text/numberText.ts';

/** Counts stop at this number, shown as "10,000+". */
const countedMax = 10_000;

export function figureOf(count: number): string {
  return numberText(count) + (count >= countedMax ? '+' : '');
}

/** "1 device", "640 devices", "10,000+ devices" */
export function devicesText(count: number): string {
  return count === 1 ? '1 device' : `${figureOf(count)} devices`;
}
