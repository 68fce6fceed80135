import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isFull, isHanging, translated } from './unavailable.ts';

/** Why the database cannot serve at the moment. */
export type Ailment = 'unreachable' | 'hanging' | 'full' | 'readOnly';

/** A monitor asks again and again, and waits for a second at most. */
const answerWithinMs = 900;
/**
 * A full disk refuses some writes and allows others, which find room in files that exist. So one refusal counts for this
 * long, whatever is allowed in the meantime.
 */
const fullForMs = 10_000;

/**
 * Sorts more than fits into the memory it gets, so that the database has to write a temporary file: this needs room on the
 * disk, but leaves nothing behind.
 */
const probe = `select current_setting('transaction_read_only') = 'on' as "readOnly",
  (select max(line) from (
    select md5(n::text) || repeat('x', 100) as line from generate_series(1, 4000) n order by 1 offset 3999) sorted) as line`;

/** Tells whether the database can serve, in a second even if it hangs. Has a connection of its own: all others may be in use. */
export class Pulse {
  readonly #pool: pg.Pool;
  #fullUntil = 0;
  #checking: Promise<Ailment | undefined> | undefined;

  constructor(url: string) {
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 1,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      options: '-c work_mem=64kB',
      application_name: 'mooring health',
    });
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', client => client.on('error', () => undefined));
  }

  /** Takes in the error of a statement. */
  note(error: unknown): void {
    if (isFull(error)) this.#fullUntil = performance.now() + fullForMs;
  }

  /** Undefined if the database can serve. */
  async check(): Promise<Ailment | undefined> {
    const timer = new AbortController();
    const late = pause(answerWithinMs, 'hanging' as const, { signal: timer.signal }).catch(() => undefined);
    // Callers share a check: one that hangs must not be joined by a hundred.
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined;
    });
    const found = await Promise.race([this.#checking, late]);
    timer.abort();
    return found ?? (performance.now() < this.#fullUntil ? 'full' : undefined);
  }

  async #ask(): Promise<Ailment | undefined> {
    try {
      const { rows } = await this.#pool.query<{ readOnly: boolean }>(probe);
      return rows[0]?.readOnly ? 'readOnly' : undefined;
    } catch (cause) {
      const error = translated(cause);
      if (isFull(error)) return 'full';
      return isHanging(error) ? 'hanging' : 'unreachable';
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
