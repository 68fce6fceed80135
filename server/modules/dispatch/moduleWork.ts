import { type Database, openDatabase } from '#server/infra/db/sql.ts';
import { repeat } from '#server/infra/pace/repeat.ts';
import { throttledLog } from '#server/infra/pace/throttledLog.ts';
import type { Platform } from '#server/infra/platform.ts';
import { onModulesChanged } from '#server/modules/smartModules/moduleNotices.ts';
import type { ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { LaneRunner } from './laneRunner.ts';
import { keyOf } from './moduleRegistry.ts';
import { endLeases, type HeldShard, settleRestored, shardsInUse, takeLeases } from './shardLease.ts';
import { ShardWork } from './shardWork.ts';

const leasesMs = 2_000;
const wakeMs = 250;
/** Number of connections that read events; the shards of one process share them. */
const readersMax = 2;

/**
 * Runs smart modules in a process with the role `worker`: it holds the leases of shards of projects, dispatches the
 * events of each shard to its modules, and executes their runs.
 */
export class ModuleWork {
  readonly #platform: Platform;
  readonly #types: readonly ModuleType[];
  readonly #holder: string;
  /**
   * Separate connections for the statement that reads events, because planning it over all partitions takes longer than
   * running it.
   */
  readonly #reads: Database;
  /** Late projects have one of their own: the others do not wait for it. */
  readonly #lateReads: Database;
  readonly #runner: LaneRunner;
  readonly #shards = new Map<number, ShardWork>();
  /** Shards whose work is about to end. */
  readonly #leaving = new Map<number, Promise<void>>();
  readonly #stops: (() => Promise<void> | void)[];
  #isStopped = false;
  #looking: Promise<void> | undefined;

  constructor(platform: Platform, types: readonly ModuleType[]) {
    this.#platform = { ...platform, log: throttledLog(platform.log) };
    this.#types = types;
    this.#holder = platform.newId('wrk');
    const { connectionString: url = '' } = platform.db.pool.options;
    this.#reads = openDatabase(url, { max: readersMax, plans: 'generic' });
    this.#lateReads = openDatabase(url, { max: 1, plans: 'generic' });
    this.#runner = new LaneRunner(this.#platform);
    const failed = (error: unknown) =>
      this.#platform.log('warn', 'Smart modules wait for the database', { error: String(error) });
    this.#stops = [
      repeat(leasesMs, () => this.#look(), failed),
      repeat(wakeMs, () => this.#runner.wake(), failed),
      onModulesChanged(platform, ({ projectId, moduleId }) => {
        if (this.#shards.size === 0) void this.#look().catch(failed);
        for (const shard of this.#shards.values()) shard.wake();
        if (moduleId) void this.#runner.again(keyOf({ projectId, id: moduleId })).catch(failed);
      }),
    ];
    void this.#look().catch(failed);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#stops.map(stop => stop()));
    await this.#looking?.catch(() => undefined);
    for (const number of [...this.#shards.keys()]) this.#leave(number);
    await Promise.all(this.#leaving.values());
    await this.#runner.stop();
    await Promise.all([this.#reads.end(), this.#lateReads.end()]);
    await endLeases(this.#platform.db, this.#holder).catch(error =>
      this.#platform.log('warn', 'Leases of smart modules could not be ended', { error: String(error) }),
    );
  }

  /** Takes and renews leases, one call at a time. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const { db } = this.#platform;
    if (this.#isStopped) return;
    const asked = new Set([...(await shardsInUse(db)), ...this.#shards.keys()]);
    if (asked.size === 0) return;
    const taken = await takeLeases(db, this.#holder, [...asked]);
    for (const number of [...this.#shards.keys()])
      if (!taken.some(({ shard }) => shard === number)) this.#leave(number);
    for (const held of taken) {
      const working = this.#shards.get(held.shard);
      if (working?.isHeld) working.renew(held.untilMs);
      // Renewed too late: the shard may still be storing its cursor. A later look begins it again from the stored
      // cursor.
      else if (working) this.#leave(held.shard);
      else if (!this.#leaving.has(held.shard)) await this.#begin(held);
    }
  }

  /** Not waited for: the step that a shard is in can take long, and the leases of the others must be renewed. */
  #leave(number: number): void {
    const left = this.#shards
      .get(number)
      ?.stop()
      .finally(() => this.#leaving.delete(number));
    this.#shards.delete(number);
    if (left) this.#leaving.set(number, left);
  }

  async #begin(held: HeldShard): Promise<void> {
    await settleRestored(this.#platform.db, held, this.#platform.clock());
    const given = {
      held,
      holder: this.#holder,
      reads: this.#reads,
      lateReads: this.#lateReads,
      types: this.#types,
      runner: this.#runner,
    };
    this.#shards.set(held.shard, new ShardWork(this.#platform, given));
  }
}
