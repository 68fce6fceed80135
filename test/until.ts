import { setTimeout as wait } from 'node:timers/promises';

/** Only failing tests wait for this long; the machine may be busy. */
const deadlineMs = 30_000;

/**
 * The same deadline for `vi.waitFor`, which gives up after a second by default; `vitest.config.ts` sets it for
 * `expect.poll`.
 */
export const deadline = { timeout: deadlineMs, interval: 20 };

/** Polls until there is an answer; fails if there is none in time. */
export async function until<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error('What was waited for did not come.');
    await wait(20);
  }
}
