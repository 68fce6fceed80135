import type { ServerResponse } from 'node:http';
import { Problem } from '#contract/problem.ts';

/** How long a stop waits for transfers that are nearly done. */
const graceMs = 5_000;

/** Uploads and downloads in progress in this process. */
export class Transfers {
  readonly #running = new Map<string, { mine: AbortController; ended: Promise<void> }>();
  readonly #answers = new Set<ServerResponse>();

  /**
   * Runs one upload per key: a sender that starts again, because its old connection broke unnoticed, replaces the
   * previous upload, and starts once that one has cleaned up.
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

  /** Called when the server stops: transfers that do not end within a grace period are aborted, and can be retried. */
  stop(): void {
    setTimeout(() => {
      for (const { mine } of this.#running.values()) mine.abort(new Problem('UNAVAILABLE'));
      for (const one of this.#answers) one.destroy();
    }, graceMs).unref();
  }
}
