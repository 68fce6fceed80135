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
    await Promise.all([...this.#shards.values()].map(shard => shard.stop()));
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
    const ended = [...this.#shards.keys()].filter(number => !taken.some(({ shard }) => shard === number));
    for (const number of ended) await this.#leave(number);
    for (const held of taken) {
      const working = this.#shards.get(held.shard);
      if (working?.isHeld) working.renew(held.untilMs);
      // Renewed too late: the shard may still be storing its cursor. The next look begins it again from the stored
      // cursor.
      else if (working) await this.#leave(held.shard);
      else await this.#begin(held);
    }
  }

  async #leave(number: number): Promise<void> {
    const working = this.#shards.get(number);
    this.#shards.delete(number);
    await working?.stop();
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
