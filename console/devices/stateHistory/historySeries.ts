import { propertiesOf } from '#console/devices/schema/schemaProperties.ts';
import { unitOf, withMinus } from '#console/devices/schema/schemaWords.ts';
import type { BandPoint } from '#console/ui/chart/BandChart.tsx';
import type { HistorySeries, StateHistory } from '#contract/stateHistory.ts';
import { numberText } from '#rules/text/numberText.ts';

/** What the schema of the class says about a number. */
export interface Meaning {
  unit: string | undefined;
  title: string | undefined;
  isBoolean: boolean;
}

/** By the path used in the history, where a dot within a name is preceded by a backslash. */
export function meaningsOf(schema: unknown): Map<string, Meaning> {
  return new Map(
    propertiesOf(schema).map(({ keys, schema: own, title }) => [
      keys.map(key => key.replace(/[.\\]/g, '\\$&')).join('.'),
      { unit: unitOf(own), title, isBoolean: own.type === 'boolean' },
    ]),
  );
}

/** In schema order; properties that are not in the schema follow, sorted by name. */
export function inSchemaOrder<T extends { property: string }>(
  series: readonly T[],
  meanings: ReadonlyMap<string, Meaning>,
): T[] {
  const paths = [...meanings.keys()];
  const place = ({ property }: T) => (meanings.has(property) ? paths.indexOf(property) : paths.length);
  return series.toSorted((a, b) => place(a) - place(b));
}

/**
 * The connected lines of a chart: a gap longer than usual between two reports means that nothing is known of that time.
 */
export function runsOf(
  { points }: HistorySeries,
  { stepS }: Pick<StateHistory, 'stepS'>,
  { isBoolean }: Pick<Meaning, 'isBoolean'>,
): BandPoint[][] {
  const stepMs = stepS * 1000;
  const placed = points.map(({ at, min, mean, max }) => ({
    at: Date.parse(at) + stepMs / 2,
    mean,
    // A share has no useful range: with any change it would span everything from 0 to 1.
    ...(isBoolean ? { min: mean, max: mean } : { min, max }),
  }));
  const apart = placed.slice(1).map(({ at }, i) => at - (placed[i]?.at ?? at));
  const usual = apart.toSorted((a, b) => a - b)[Math.floor(apart.length / 2)] ?? stepMs;
  const gapMs = Math.max(stepMs, usual) * 2.5;
  const runs: BandPoint[][] = [];
  for (const [i, point] of placed.entries()) {
    if (i === 0 || (apart[i - 1] ?? 0) > gapMs) runs.push([]);
    runs.at(-1)?.push(point);
  }
  return runs;
}

export interface Summary {
  min: number;
  mean: number;
  max: number;
  count: number;
}

export function summaryOf({ points }: HistorySeries): Summary {
  const count = points.reduce((sum, point) => sum + point.count, 0);
  return {
    min: Math.min(...points.map(({ min }) => min)),
    mean: points.reduce((sum, point) => sum + point.mean * point.count, 0) / Math.max(1, count),
    max: Math.max(...points.map(({ max }) => max)),
    count,
  };
}

/**
 * "21.3 °C"; for a boolean, the share of reports that were true. `span` is how far apart the values are that are shown
 * together: the text has enough digits to tell them apart.
 */
export function valueText(value: number, { unit, isBoolean }: Meaning, span = 0): string {
  if (isBoolean) return `${Math.round(value * 1000) / 10} %`;
  return unit ? `${shortFigure(value, span)} ${unit}` : shortFigure(value, span);
}

/** Beyond this, a number has more digits than anyone reads. */
const writtenOutMax = 1e15;
/** All digits that a number has. */
const digitsMax = 17;

/** With as many digits as are readable, and as many as tell values apart that are `span` apart. */
export function shortFigure(value: number, span = 0): string {
  const size = Math.abs(value);
  const apart = span > 0 ? 1 - Math.floor(Math.log10(span)) : 0;
  const isTiny = size !== 0 && size < 0.001 && (apart === 0 || apart > 9);
  if (size >= writtenOutMax || isTiny) return exponentText(value, apart);
  const usual = size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return withMinus(numberText(value, Math.min(Math.max(usual, apart), digitsMax)));
}

/** "1.23e+18" */
function exponentText(value: number, apart: number): string {
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  const digits = apart === 0 ? 3 : Math.min(Math.max(3, before + apart), digitsMax);
  const text = String(Number(value.toPrecision(digits)));
  return withMinus(Math.abs(value) < 1 || text.includes('e') ? text : Number(text).toExponential());
}
