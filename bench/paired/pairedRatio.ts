/** Two-sided 95 % quantiles of Student's t, by degrees of freedom. */
const t95 = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13];

export interface Ratio {
  mean: number;
  low: number;
  high: number;
}

/**
 * The geometric mean of the ratios of paired rounds, with its 95 % interval. Pairing cancels slow changes: a machine
 * that gets slower in the course of an hour slows down both rounds of a pair.
 */
export function pairedRatio(above: readonly number[], below: readonly number[]): Ratio {
  const logs = above.map((value, at) => Math.log(value / (below[at] ?? Number.NaN)));
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const spread = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1);
  const half = (t95[logs.length - 2] ?? 2.1) * Math.sqrt(spread / logs.length);
  return { mean: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

/** By how much a ratio exceeds one, as `12.3 % (8.0 to 16.4 %)`. */
export const above1 = ({ mean, low, high }: Ratio) =>
  `${percent(mean - 1)} % (${percent(low - 1)} to ${percent(high - 1)} %)`;

/** A ratio as `1.05 × (0.98 to 1.12)`. */
export const times = ({ mean, low, high }: Ratio) =>
  `${mean.toFixed(2)} × (${low.toFixed(2)} to ${high.toFixed(2)})`;

const percent = (part: number) => (part * 100).toFixed(1);
