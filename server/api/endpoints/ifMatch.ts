import { Problem } from '#contract/problem.ts';
import type { Call } from './route.ts';

/**
 * Rejects a write based on a stale revision (optimistic locking). The row must be locked, so that it cannot
 * change before the write.
 */
export function refuseStale({ ifMatch }: Pick<Call, 'ifMatch'>, current: { revision?: unknown }): void {
  if (ifMatch === undefined) return;
  const asked = /^"?(\d{1,9})"?$/.exec(ifMatch)?.[1];
  if (asked !== String(current.revision)) throw new Problem('STALE', { context: { current } });
}
