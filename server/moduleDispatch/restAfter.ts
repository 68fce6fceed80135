/** How soon it is looked for more: at once after something happened, then in longer and longer pauses. */
export const pauses = { leastMs: 20, growth: 1.5, mostMs: 250 } as const;
/** The part of the time that is rest. */
const restPerWork = 4;

/**
 * How long a reader that has caught up rests after a step that took so long. Many events are read in few large steps: each
 * step is some statements and a commit, whose wait for the disk is one of the devices' as well. Few are read at once.
 */
export const restAfter = (tookMs: number): number =>
  Math.min(pauses.mostMs, Math.max(pauses.leastMs, restPerWork * tookMs));
