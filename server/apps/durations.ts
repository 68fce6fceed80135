/** Each bucket is a fifth longer than the one before: the median is told to within a tenth. The last has all that is longer. */
const growth = 1.2;
const firstMs = 0.5;
export const bucketsMax = 64;

/** The bucket of a duration, from 0. */
export function bucketOf(ms: number): number {
  const bucket = Math.ceil(Math.log(Math.max(ms, firstMs) / firstMs) / Math.log(growth));
  return Math.min(bucket, bucketsMax - 1);
}

/** The median of durations that were counted in buckets; undefined without any. */
export const medianOf = (counts: readonly number[]) => quantileOf(counts, 0.5);

/** The duration that this share of all does not exceed. */
export function quantileOf(counts: readonly number[], share: number): number | undefined {
  const wanted = counts.reduce((all, count) => all + count, 0) * share;
  if (wanted === 0) return undefined;
  let below = 0;
  const bucket = counts.findIndex(count => {
    below += count;
    return below >= wanted;
  });
  // The middle of the bucket.
  const ms = firstMs * growth ** (bucket - 0.5);
  return ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms);
}
