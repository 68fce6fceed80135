import { Problem } from '#contract/problem.ts';
import type { Call } from './route.ts';

/** Refuses to overwrite what the caller has not seen. The row must be locked: it must not change before we write. */
export function refuseStale({ ifMatch }: Pick<Call, 'ifMatch'>, current: { revision?: unknown }): void {
  if (ifMatch === undefined) return;
  const asked = /^"?(\d{1,9})"?$/.exec(ifMatch)?.[1];
  if (asked !== String(current.revision)) throw new Problem('STALE', { context: { current } });
}
