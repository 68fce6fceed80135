import type { TrafficKind } from '#contract/stats.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';

const flushMs = 1000;

/** Messages of the devices of a class. */
export interface MessageSum {
  projectId: string;
  deviceClass: string;
  in: number;
  out: number;
  bytes: number;
}

/**
 * Counts what passes through a project's doors, in memory, and adds it to the tables about once a second: a call must not
 * cost a write. What is counted when the process stops in order is written; a crash loses at most the last second.
 */
export class Traffic {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'log'>;
  #counts = new Map<string, number>();
  /** Messages by project, class and hour. */
  #hours = new Map<string, { in: number; out: number }>();
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

  countMessages({ projectId, deviceClass, ...sums }: MessageSum): void {
    if (sums.in > 0) this.count(projectId, 'deviceMessagesIn', sums.in);
    if (sums.out > 0) this.count(projectId, 'deviceMessagesOut', sums.out);
    this.count(projectId, 'bytes', sums.bytes);
    const hour = this.#platform.clock().toISOString().slice(0, 13);
    this.#addHour(`${projectId} ${deviceClass} ${hour}:00Z`, sums);
  }

  #addHour(key: string, sums: { in: number; out: number }): void {
    const counted = this.#hours.get(key);
    this.#hours.set(key, { in: (counted?.in ?? 0) + sums.in, out: (counted?.out ?? 0) + sums.out });
  }

  /** Writes what is counted so far; what could not be written is counted on. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const [counts, hours] = [this.#counts, this.#hours];
    if (counts.size === 0) return;
    this.#counts = new Map();
    this.#hours = new Map();
    try {
      await this.#platform.db.tx(async db => {
        await addCounts(db, counts);
        if (hours.size > 0) await addHours(db, hours);
      });
    } catch (error) {
      this.#platform.log('warn', 'Traffic counts are waiting for the database', { error: String(error) });
      for (const [key, by] of counts) this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
      for (const [key, sums] of hours) this.#addHour(key, sums);
      this.#timer ??= setTimeout(() => void this.flush(), flushMs);
    }
  }
}

/** In the order of their keys: two processes that add to the same rows must not wait for each other in a circle. */
function inOrder<T>(counts: Map<string, T>): { keys: string[][]; values: T[] } {
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { keys: rows.map(([key]) => key.split(' ')), values: rows.map(([, value]) => value) };
}

async function addCounts(db: Db, counts: Map<string, number>): Promise<void> {
  const { keys, values } = inOrder(counts);
  await db.run(sql`
    insert into traffic_counters (project_id, day, kind, count)
    select * from unnest(
      ${keys.map(([projectId]) => projectId)}::text[], ${keys.map(([, day]) => day)}::date[],
      ${keys.map(([, , kind]) => kind)}::text[], ${values}::bigint[])
    on conflict (project_id, day, kind) do update set count = traffic_counters.count + excluded.count`);
}

async function addHours(db: Db, hours: Map<string, { in: number; out: number }>): Promise<void> {
  const { keys, values } = inOrder(hours);
  await db.run(sql`
    insert into message_hours as m (project_id, device_class, hour, incoming, outgoing)
    select * from unnest(
      ${keys.map(([projectId]) => projectId)}::text[], ${keys.map(([, deviceClass]) => deviceClass)}::text[],
      ${keys.map(([, , hour]) => hour)}::timestamptz[],
      ${values.map(sums => sums.in)}::bigint[], ${values.map(({ out }) => out)}::bigint[])
    on conflict (project_id, device_class, hour) do update set
      incoming = m.incoming + excluded.incoming, outgoing = m.outgoing + excluded.outgoing`);
}
