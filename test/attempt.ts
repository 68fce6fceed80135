import type { Attempt } from '#server/jobs/jobs.ts';

/** For a job that is done by hand: it would be tried again, and nobody calls it off. */
export const attempt: Attempt = { isLast: false, signal: undefined };
