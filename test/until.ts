import { setTimeout as wait } from 'node:timers/promises';

/** Only what fails waits for so long; the machine may have much else to do. */
const deadlineMs = 30_000;

/** The same for `vi.waitFor`, which gives up after a second; `expect.poll` has it from `vitest.config.ts`. */
export const deadline = { timeout: deadlineMs, interval: 20 };

/** Asks again and again until there is an answer; fails when there is none in time. */
export async function until<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error('What was waited for did not come.');
    await wait(20);
  }
}
