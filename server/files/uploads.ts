import { Problem } from '#contract/problem.ts';

/** What a stop waits for an upload that is nearly done. */
const graceMs = 5_000;

/**
 * Uploads under way in this process. Of each thing there is one: who begins anew, after its old connection broke without
 * anybody noticing, takes the place of the one before.
 */
export class Uploads {
  readonly #running = new Map<string, AbortController>();

  async run<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#running.get(key)?.abort(new Problem('UPLOAD_OVER'));
    const mine = new AbortController();
    this.#running.set(key, mine);
    try {
      return await work(mine.signal);
    } finally {
      if (this.#running.get(key) === mine) this.#running.delete(key);
    }
  }

  /** Called when the server stops: what is not done in a moment is called off, and can be sent anew. */
  stop(): void {
    setTimeout(() => {
      for (const one of this.#running.values()) one.abort(new Problem('UNAVAILABLE'));
    }, graceMs).unref();
  }
}
