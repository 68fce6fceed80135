export interface Interval {
  lower: number;
  upper: number;
}

/**
 * The Wilson score interval: bounds of the true share if `hits` of `total` were observed. Unlike the normal
 * approximation, it also holds for few results and for shares near 0 and 1.
 */
export function wilson(hits: number, total: number, z: number): Interval {
  if (total === 0) return { lower: 0, upper: 1 };
  const seen = hits / total;
  const zz = z * z;
  const middle = seen + zz / (2 * total);
  const reach = z * Math.sqrt((seen * (1 - seen)) / total + zz / (4 * total * total));
  const width = 1 + zz / total;
  return { lower: Math.max(0, (middle - reach) / width), upper: Math.min(1, (middle + reach) / width) };
}

/** How many hits of `total` raise the lower bound above the threshold; more than `total` if none do. */
export function hitsAbove(threshold: number, total: number, z: number): number {
  let [low, high] = [0, total + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (wilson(middle, total, z).lower > threshold) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Seen {
  hits: number;
  total: number;
}

/**
 * The interval of the difference between two shares, by Newcombe's method from their Wilson intervals. If its lower
 * bound is above 0, the first share is significantly higher.
 */
export function difference(one: Seen, other: Seen, z: number): Interval {
  const [a, b] = [wilson(one.hits, one.total, z), wilson(other.hits, other.total, z)];
  const [p, q] = [one, other].map(({ hits, total }) => (total === 0 ? 0 : hits / total)) as [number, number];
  return {
    lower: p - q - Math.hypot(p - a.lower, b.upper - q),
    upper: p - q + Math.hypot(a.upper - p, q - b.lower),
  };
}
