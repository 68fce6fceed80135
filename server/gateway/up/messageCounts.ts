import type { Platform } from '#server/platform.ts';

/**
 * Counts messages and bytes per project in memory and flushes the sums periodically, to keep messages cheap.
 */
export class MessageCounts {
  readonly #traffic: Platform['traffic'];
  #counts = new Map<string, { in: number; out: number; bytes: number }>();

  constructor({ traffic }: Pick<Platform, 'traffic'>) {
    this.#traffic = traffic;
  }

  in(projectId: string, bytes: number): void {
    const counts = this.#of(projectId);
    counts.in += 1;
    counts.bytes += bytes;
  }

  out(projectId: string, bytes: number): void {
    const counts = this.#of(projectId);
    counts.out += 1;
    counts.bytes += bytes;
  }

  handOn(): void {
    for (const [projectId, counts] of this.#counts) {
      if (counts.in > 0) this.#traffic.count(projectId, 'deviceMessagesIn', counts.in);
      if (counts.out > 0) this.#traffic.count(projectId, 'deviceMessagesOut', counts.out);
      this.#traffic.count(projectId, 'bytes', counts.bytes);
    }
    this.#counts.clear();
  }

  #of(projectId: string): { in: number; out: number; bytes: number } {
    const known = this.#counts.get(projectId);
    if (known) return known;
    const counts = { in: 0, out: 0, bytes: 0 };
    this.#counts.set(projectId, counts);
    return counts;
  }
}
