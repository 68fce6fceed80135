import { writeBlocks } from '#server/api/logs/blocks.ts';
import type { Platform } from '#server/infra/platform.ts';
import { sealBatch } from './seal.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    sealLogs: Record<string, never>;
  }
}

const subject = 'audit entry kept';
/** How long to collect entries of a burst: a batch costs little more than one entry. */
const gatherMs = 250;

/** Call this after an audit log entry was committed; otherwise the job that runs every minute finds the entry. */
export function wakeSealer({ bus }: Pick<Platform, 'bus'>): void {
  bus.publish(subject, {});
}

type Needs = Pick<Platform, 'db' | 'bus' | 'log'>;

/** Seals audit log entries shortly after they are written, in the background. */
export class Sealer {
  readonly #platform: Needs;
  readonly #unsubscribe: () => void;
  #gathering: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(platform: Needs) {
    this.#platform = platform;
    this.#unsubscribe = platform.bus.subscribe(subject, () => this.#gather());
  }

  /** Seals everything that is waiting, once the current run has ended. */
  run(): Promise<void> {
    this.#running = this.#running.then(() => this.#sealAll());
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    clearTimeout(this.#gathering);
    await this.#running;
  }

  #gather(): void {
    if (this.#gathering || this.#stopped) return;
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      void this.run();
    }, gatherMs);
  }

  /** If this fails, the job retries within a minute: nothing is lost by sealing late. */
  async #sealAll(): Promise<void> {
    const { db, log } = this.#platform;
    try {
      for (let more = true; more && !this.#stopped; ) {
        const sealed = await sealBatch(db);
        for (const projectId of sealed.filled) await writeBlocks(db, projectId);
        if (sealed.busy) this.#gather();
        more = sealed.more;
      }
    } catch (error) {
      log('warn', 'Audit log entries are waiting to be sealed', { error: String(error) });
    }
  }
}
