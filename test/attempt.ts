import type { Attempt } from '#server/infra/jobs/jobs.ts';

/** For a job that a test runs by hand: it would be retried, and is not cancelled. */
export const attempt: Attempt = { isLast: false, signal: undefined };
