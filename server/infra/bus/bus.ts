import type { Log } from '#server/infra/log.ts';

/**
 * Publishes notices to other parts of the platform, after the change is stored. Delivery is not guaranteed, so
 * nothing may depend on a notice.
 */
export interface Bus {
  publish(subject: string, message: unknown): void;
  /** Returns a function that unsubscribes. */
  subscribe(subject: string, hear: (message: unknown) => void): () => void;
  /** True while other processes cannot be reached. */
  readonly isAway: boolean;
  end(): Promise<void>;
}

/** In-process bus, for a single process. A subscriber that fails keeps the notice from nobody else. */
export function createLocalBus(log: Log): Bus {
  const hearers = new Map<string, Set<(message: unknown) => void>>();
  return {
    isAway: false,
    end: async () => undefined,
    publish(subject, message) {
      for (const hear of hearers.get(subject) ?? []) {
        try {
          hear(message);
        } catch (error) {
          log('error', 'A notice could not be processed', { subject, error: String(error) });
        }
      }
    },
    subscribe(subject, hear) {
      const set = hearers.get(subject) ?? new Set();
      hearers.set(subject, set.add(hear));
      return () => {
        set.delete(hear);
        if (set.size === 0) hearers.delete(subject);
      };
    },
  };
}
