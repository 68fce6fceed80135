/** Tells other parts of the platform what has happened, after it is kept. Nobody may depend on a message to arrive. */
export interface Bus {
  publish(subject: string, message: unknown): void;
  /** Answers the function that ends the subscription. */
  subscribe(subject: string, hear: (message: unknown) => void): () => void;
  /** True while other processes cannot be told. */
  readonly isAway: boolean;
  end(): Promise<void>;
}

/** The bus of a single process. */
export function createLocalBus(): Bus {
  const hearers = new Map<string, Set<(message: unknown) => void>>();
  return {
    isAway: false,
    end: async () => undefined,
    publish(subject, message) {
      for (const hear of hearers.get(subject) ?? []) hear(message);
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
