import { expect } from 'vitest';
import { CallFailed } from '#contract/client.ts';
import type { Reason } from '#contract/problem.ts';

/** The failure of a call that must fail with this reason. */
export async function failing(call: Promise<unknown>, reason: Reason): Promise<CallFailed> {
  const error = await call.then(
    answer => expect.fail(`expected ${reason}, but it answered ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CallFailed)) throw error;
  expect(error.reason).toBe(reason);
  return error;
}
