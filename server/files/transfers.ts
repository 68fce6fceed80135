import type { ServerResponse } from 'node:http';
import { Problem } from '#contract/problem.ts';

/** What a stop waits for a transfer that is nearly done. */
const graceMs = 5_000;

/** Uploads and downloads under way in this process. */
export class Transfers {
  readonly #running = new Map<string, { mine: AbortController; ended: Promise<void> }>();
  readonly #answers = new Set<ServerResponse>();

  /**
   * Of each thing there is one upload: who begins anew, after its old connection broke without anybody noticing, takes
   * the place of the one before, and begins when that has let go of what it wrote.
   */
  async upload<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const before = this.#running.get(key);
    before?.mine.abort(new Problem('UPLOAD_OVER'));
    const mine = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#running.set(key, { mine, ended });
    try {
      await before?.ended;
      mine.signal.throwIfAborted();
      return await work(mine.signal);
    } finally {
      end();
      if (this.#running.get(key)?.mine === mine) this.#running.delete(key);
    }
  }

  download(answer: ServerResponse): void {
    this.#answers.add(answer);
    answer.once('close', () => this.#answers.delete(answer));
  }

  /** Called when the server stops: what is not done in a moment is called off, and can be begun anew. */
  stop(): void {
    setTimeout(() => {
      for (const { mine } of this.#running.values()) mine.abort(new Problem('UNAVAILABLE'));
      for (const one of this.#answers) one.destroy();
    }, graceMs).unref();
  }
}
