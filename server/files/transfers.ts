import type { ServerResponse } from 'node:http';
import { Problem } from '#contract/problem.ts';

/** What a stop waits for a transfer that is nearly done. */
const graceMs = 5_000;

/** Uploads and downloads under way in this process. */
export class Transfers {
  readonly #running = new Map<string, AbortController>();
  readonly #answers = new Set<ServerResponse>();

  /**
   * Of each thing there is one upload: who begins anew, after its old connection broke without anybody noticing, takes
   * the place of the one before.
   */
  async upload<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#running.get(key)?.abort(new Problem('UPLOAD_OVER'));
    const mine = new AbortController();
    this.#running.set(key, mine);
    try {
      return await work(mine.signal);
    } finally {
      if (this.#running.get(key) === mine) this.#running.delete(key);
    }
  }

  download(answer: ServerResponse): void {
    this.#answers.add(answer);
    answer.once('close', () => this.#answers.delete(answer));
  }

  /** Called when the server stops: what is not done in a moment is called off, and can be begun anew. */
  stop(): void {
    setTimeout(() => {
      for (const one of this.#running.values()) one.abort(new Problem('UNAVAILABLE'));
      for (const one of this.#answers) one.destroy();
    }, graceMs).unref();
  }
}
