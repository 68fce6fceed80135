import { CallFailed } from '#contract/client.ts';
import { randomText } from './random.ts';

interface Kept {
  key: string;
  untilMs: number;
}

/**
 * The idempotency keys of calls that got no answer, although they may have been executed. The same call made again sends
 * the same key, and gets the answer to the first one. Two concurrent calls are two.
 */
export class Unanswered {
  readonly #kept = new Map<string, Kept>();

  /** `againMs`: for how long a call with the same `what` means the one that got no answer. */
  async once<T>(what: string, againMs: number, call: (key: string) => Promise<T>): Promise<T> {
    const kept = this.#kept.get(what);
    this.#kept.delete(what);
    const key = kept && kept.untilMs > Date.now() ? kept.key : randomText(32);
    try {
      return await call(key);
    } catch (error) {
      if (isUnanswered(error)) this.#kept.set(what, { key, untilMs: Date.now() + againMs });
      throw error;
    }
  }
}

/**
 * After a failure of the server or the network, it is unknown whether the call was executed; also if something in between
 * answers in its place, such as the sign-in page of a hotel, which is a success without JSON.
 */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof CallFailed) || error.status < 400 || error.status >= 500;
}
