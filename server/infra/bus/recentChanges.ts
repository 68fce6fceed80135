import { minuteMs } from '#rules/time/durations.ts';
import type { Bus } from './bus.ts';

const subject = 'recent changes';

/** Older changes count as made this long ago. */
export const rememberedMs = 10 * minuteMs;

/** Notes that the consoles of a project are told of a change. */
export function publishChanged(bus: Bus, projectId: string): void {
  bus.publish(subject, projectId);
}

/** When the consoles of each project were last told of a change, by any process. */
export class RecentChanges {
  /** Nothing is known about the time before. */
  #since = Date.now();
  /** Oldest first; milliseconds since 1970. */
  readonly #at = new Map<string, number>();

  constructor(bus: Bus) {
    bus.subscribe(subject, message => {
      const projectId = message as string;
      // Deleted first, so that the order remains that of the times.
      this.#at.delete(projectId);
      this.#at.set(projectId, Date.now());
      this.#forget();
    });
  }

  /** Without a record, the latest time at which it can have been. */
  last(projectId: string): number {
    this.#forget();
    return this.#at.get(projectId) ?? this.#since;
  }

  #forget(): void {
    const until = Date.now() - rememberedMs;
    this.#since = Math.max(this.#since, until);
    for (const [projectId, at] of this.#at) {
      if (at > until) return;
      this.#at.delete(projectId);
    }
  }
}
