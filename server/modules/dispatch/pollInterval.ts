/** How often to look for more: at once after something happened, then at growing intervals. */
export const pauses = { leastMs: 20, growth: 1.5, mostMs: 250 } as const;
/** Rest in proportion to the time worked. */
const restPerWork = 4;

/**
 * How long a reader that has caught up rests after a step of this duration. Under load, events are read in few large
 * steps, because each step costs several statements and a commit, and devices wait for the same disk. A few events are
 * read at once.
 */
export const pollInterval = (tookMs: number): number =>
  Math.min(pauses.mostMs, Math.max(pauses.leastMs, restPerWork * tookMs));
