import type { TrafficKind } from '#contract/stats.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';

const flushMs = 1000;

/**
 * Counts what passes through a project's doors, in memory, and adds it to the table about once a second: a call must not
 * cost a write. What is counted when the process stops in order is written; a crash loses at most the last second.
 */
export class Traffic {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'log'>;
  #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>) {
    this.#platform = platform;
  }

  count(projectId: string, kind: TrafficKind, by = 1): void {
    const day = this.#platform.clock().toISOString().slice(0, 10);
    const key = `${projectId} ${day} ${kind}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  /** Writes what is counted so far; what could not be written is counted on. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    try {
      await addCounts(this.#platform.db, counts);
    } catch (error) {
      this.#platform.log('warn', 'Traffic counts are waiting for the database', { error: String(error) });
      for (const [key, by] of counts) this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
      this.#timer ??= setTimeout(() => void this.flush(), flushMs);
    }
  }
}

/** In the order of their keys: two processes that add to the same rows must not wait for each other in a circle. */
async function addCounts(db: Db, counts: Map<string, number>): Promise<void> {
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const keys = rows.map(([key]) => key.split(' '));
  await db.run(sql`
    insert into traffic_counters (project_id, day, kind, count)
    select * from unnest(
      ${keys.map(([projectId]) => projectId)}::text[], ${keys.map(([, day]) => day)}::date[],
      ${keys.map(([, , kind]) => kind)}::text[], ${rows.map(([, by]) => by)}::bigint[])
    on conflict (project_id, day, kind) do update set count = traffic_counters.count + excluded.count`);
}
