import type pg from 'pg';
import { repeat } from '#server/infra/pace/repeat.ts';
import type { Ailment } from './pulse.ts';

const lookMs = 1_000;
/** Nothing was answered for this long, although something was asked. */
const silentMs = 3_000;
/** The probe must find the same several times in a row: a machine that is merely busy answers one of them. */
const foundMin = 3;
/** No statement takes so long: a connection that is in use for longer listens for notices of the database. */
const listensMs = 65_000;

/** The types of the driver leave out the socket. */
type Client = pg.PoolClient & { connection?: { stream?: { destroy(): void } } };

/**
 * Notices that the database hangs: it keeps its connections and answers nothing. Otherwise every caller would wait for a
 * minute, and take a connection. Those that wait then get the error of a lost connection, and others are refused at once
 * until the database answers again.
 */
export class HangWatch {
  #isHanging = false;
  readonly #check: () => Promise<Ailment | undefined>;
  readonly #inUse = new Map<Client, number>();
  readonly #stop: () => Promise<void>;
  #answeredMs = 0;
  #found = 0;

  constructor(pool: pg.Pool, check: () => Promise<Ailment | undefined>) {
    this.#check = check;
    const answered = () => {
      this.#answeredMs = performance.now();
    };
    pool.on('connect', client => client.on('drain', answered));
    pool.on('acquire', client => this.#inUse.set(client, performance.now()));
    pool.on('release', (_, client) => this.#inUse.delete(client));
    pool.on('remove', client => this.#inUse.delete(client));
    // The probe reports errors as an ailment.
    this.#stop = repeat(
      lookMs,
      () => this.#look(),
      () => undefined,
    );
  }

  get isHanging(): boolean {
    return this.#isHanging;
  }

  async #look(): Promise<void> {
    const isSuspect = this.#isHanging || this.#isSilent();
    const isFound = isSuspect && (await this.#check()) === 'hanging' && (this.#isHanging || this.#isSilent());
    this.#found = isFound ? this.#found + 1 : 0;
    this.#isHanging = this.#found >= foundMin;
    if (!this.#isHanging) return;
    for (const client of [...this.#inUse.keys()]) {
      this.#inUse.delete(client);
      client.connection?.stream?.destroy();
    }
  }

  end(): Promise<void> {
    return this.#stop();
  }

  #isSilent(): boolean {
    const nowMs = performance.now();
    const begunMs = [...this.#inUse.values()].filter(ms => nowMs - ms < listensMs);
    return nowMs - Math.max(this.#answeredMs, Math.min(...begunMs)) > silentMs;
  }
}
