import { Problem } from '#contract/problem.ts';

/** Refuses a change to a row that is not what its sender saw: `If-Match` names the revision. Answers what is there now. */
export function refuseStale(ifMatch: string | undefined, current: Record<string, unknown>): void {
  if (ifMatch === undefined) return;
  const asked = /^"?(\d{1,9})"?$/.exec(ifMatch)?.[1];
  if (asked !== String(current.revision)) throw new Problem('STALE', { context: { current } });
}
