import { CallFailed } from '#contract/client.ts';

/** Makes the same call `count` times concurrently; returns the answers, and the reasons of refused calls. */
export async function atOnce<T>(
  count: number,
  work: (number: number) => Promise<T>,
): Promise<{ answers: T[]; reasons: string[] }> {
  const answers: T[] = [];
  const reasons: string[] = [];
  const settled = await Promise.allSettled(Array.from({ length: count }, (_, number) => work(number)));
  for (const one of settled) {
    if (one.status === 'fulfilled') answers.push(one.value);
    else if (one.reason instanceof CallFailed) reasons.push(one.reason.reason);
    else throw one.reason;
  }
  return { answers, reasons };
}
