import { sql } from '#server/infra/db/sql.ts';

/**
 * Each bucket is a fifth longer than the previous one, so the median is accurate to a tenth. The last bucket has all
 * longer durations.
 */
const growth = 1.2;
const firstMs = 0.5;
export const bucketsMax = 64;

export const noDurations = (): number[] => Array.from({ length: bucketsMax }, () => 0);

export function addDuration(counts: number[], ms: number): void {
  addTo(counts, bucketOf(ms), 1);
}

/** Adds the later counts to the earlier. */
export function addDurations(earlier: number[], later: readonly number[]): void {
  later.forEach((by, bucket) => {
    addTo(earlier, bucket, by);
  });
}

function addTo(counts: number[], bucket: number, by: number): void {
  counts[bucket] = (counts[bucket] ?? 0) + by;
}

/** The same in an upsert: adds the counts that would have been inserted to those of row `h`. */
export const durationsAdded = sql`array(
  select coalesce(d.was, 0) + coalesce(d.more, 0)
  from unnest(h.durations, excluded.durations) with ordinality as d (was, more, at)
  order by d.at)`;

/** The bucket of a duration, from 0. */
export function bucketOf(ms: number): number {
  const bucket = Math.ceil(Math.log(Math.max(ms, firstMs) / firstMs) / Math.log(growth));
  return Math.min(bucket, bucketsMax - 1);
}

/** The median of durations counted in buckets; undefined without any. */
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
