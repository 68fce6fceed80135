import { publishLive } from '#server/api/http/live.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { NewRun } from '#server/modules/runs/insertRuns.ts';
import { type WaitingRun, waitingCounts, waitingRuns } from '#server/modules/runs/waitingRuns.ts';
import type { OpenModule } from '#server/modules/smartModules/moduleType.ts';
import { findModule, openModule } from '#server/modules/smartModules/store.ts';
import { type Begun, beginRuns, type RunKey } from './beginRuns.ts';
import { endOf, tryRun } from './doRun.ts';
import { Lanes } from './lanes.ts';
import { type KnownModule, keyOf } from './moduleRegistry.ts';
import { RunSlots, type Slot } from './runSlots.ts';
import { type Ended, saveResults } from './saveResults.ts';

const batchMax = 500;
const publishAgainMs = 1_000;
const retryMs = 1_000;

interface Waiting {
  known: KnownModule;
  lanes: Lanes;
  /** The earliest time for which this process has postponed a run. */
  postponedMs: number;
  /** Aborted when this process no longer runs the module. */
  stop: AbortController;
}

const nothing = Symbol('nothing');

const newlyKnown = (known: KnownModule): Waiting => ({
  known,
  lanes: new Lanes(),
  stop: new AbortController(),
  postponedMs: Number.POSITIVE_INFINITY,
});

/**
 * Executes the waiting runs of modules in the shards of this process. The runs are stored in the database; their order
 * is kept here.
 */
export class LaneRunner {
  readonly #platform: Platform;
  readonly #modules = new Map<string, Waiting>();
  /** Projects with modules that have runnable runs, and these modules. In both, the first is next. */
  readonly #ready = new Map<string, Set<string>>();
  readonly #slots = new RunSlots(() => this.#pump());
  readonly #begin: GroupCommit<RunKey, Begun | typeof nothing>;
  readonly #store: GroupCommit<Ended, undefined>;
  /** Modules whose consoles must be notified, by key, and the time of the last notification. */
  readonly #unpublished = new Map<string, { projectId: string; moduleId: string }>();
  #publishedMs = 0;
  readonly #running = new Set<Promise<void>>();

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#begin = new GroupCommit({
      name: 'module runs begun',
      run: async keys => (await beginRuns(platform, keys)).map(begun => begun ?? nothing),
      itemsMax: batchMax,
      patient: true,
    });
    this.#store = new GroupCommit({
      name: 'module runs ended',
      run: async ended => {
        await saveResults(platform, ended);
        return ended.map(() => undefined);
      },
      itemsMax: batchMax,
      patient: true,
    });
  }

  waitingOf(key: string): number {
    return this.#modules.get(key)?.lanes.waiting ?? 0;
  }

  /** Adds runs that were just stored. */
  add(runs: readonly NewRun[]): void {
    for (const { projectId, moduleId, id, deviceId } of runs) {
      const waiting = this.#modules.get(keyOf({ projectId, id: moduleId }));
      waiting?.lanes.add({ id, deviceId: deviceId ?? '', nextAt: null });
      if (waiting) this.#markReady(waiting);
    }
    this.#pump();
  }

  /** Takes over the current modules of a shard, and gives up modules that are no longer among them. */
  async take(all: readonly KnownModule[], before: readonly KnownModule[]): Promise<void> {
    const active = all.filter(({ module, isParked }) => !module.suspended && !isParked);
    const keys = new Set(active.map(({ module }) => keyOf(module)));
    for (const { module } of before) if (!keys.has(keyOf(module))) this.leave(keyOf(module));
    // Modules that changed, for example unparked ones, may have more runs than are known here. Compares objects,
    // because a module that was deleted and created again can have the same revision.
    const changed = active.filter(known => this.#modules.get(keyOf(known.module))?.known !== known);
    const { db, clock } = this.#platform;
    const modules = changed.map(({ module }) => module);
    const counts = await waitingCounts(db, modules, clock());
    for (const known of changed) {
      const key = keyOf(known.module);
      const { projectId, id } = known.module;
      const hasRuns = this.waitingOf(key) > 0 || Boolean(counts.get(key));
      const stored = hasRuns ? await waitingRuns(db, { projectId, id, now: clock() }) : [];
      // Taken only with its runs: one that is taken counts as unchanged from then on.
      const waiting = this.#modules.get(key) ?? newlyKnown(known);
      waiting.known = known;
      this.#modules.set(key, waiting);
      if (hasRuns) waiting.lanes.replace(stored);
      this.#markReady(waiting);
    }
    this.#pump();
  }

  /** Reloads the waiting runs of a module; active runs continue. */
  async again(key: string): Promise<void> {
    const waiting = this.#modules.get(key);
    if (!waiting) return;
    const { projectId, id } = waiting.known.module;
    const now = this.#platform.clock();
    waiting.lanes.replace(await waitingRuns(this.#platform.db, { projectId, id, now }));
    this.#markReady(waiting);
    this.#pump();
  }

  /**
   * Reloads modules that have more waiting runs in the database than here: a notice was lost, or a postponed run is due.
   */
  async sweep(all: readonly KnownModule[]): Promise<void> {
    const counts = await waitingCounts(
      this.#platform.db,
      all.map(({ module }) => module),
      this.#platform.clock(),
    );
    for (const [key, count] of counts) if (count > this.waitingOf(key)) await this.again(key);
  }

  /** Aborts the module's active runs; the process that takes the module next runs them again. */
  leave(key: string): void {
    const waiting = this.#modules.get(key);
    if (!waiting) return;
    this.#modules.delete(key);
    this.#ready.get(waiting.known.module.projectId)?.delete(key);
    waiting.stop.abort();
  }

  /** Continues modules whose next attempts or postponed runs are due. */
  async wake(): Promise<void> {
    const nowMs = this.#platform.clock().getTime();
    const due: string[] = [];
    for (const [key, waiting] of this.#modules) {
      waiting.lanes.wake(nowMs);
      this.#markReady(waiting);
      if (waiting.postponedMs > nowMs) continue;
      waiting.postponedMs = Number.POSITIVE_INFINITY;
      due.push(key);
    }
    this.#pump();
    this.#publish();
    for (const key of due) await this.again(key);
  }

  /** Aborts all modules, and stores the runs that have ended by then. */
  async stop(): Promise<void> {
    for (const key of [...this.#modules.keys()]) this.leave(key);
    await Promise.all(this.#running);
    await Promise.all([this.#begin.stop(), this.#store.stop()]);
  }

  #markReady({ known, lanes }: Waiting): void {
    if (!lanes.isReady) return;
    const { projectId } = known.module;
    const modules = this.#ready.get(projectId);
    if (modules) modules.add(keyOf(known.module));
    else this.#ready.set(projectId, new Set([keyOf(known.module)]));
  }

  /** Starts all runnable runs: round robin over projects, and within a project over its modules. */
  #pump(): void {
    for (let began = true; began; ) {
      began = false;
      for (const projectId of [...this.#ready.keys()]) began = this.#beginOf(projectId) || began;
    }
  }

  #beginOf(projectId: string): boolean {
    const ofModule = this.#slots.ofModule(projectId);
    const modules = this.#ready.get(projectId);
    if (ofModule === 0 || !modules) return false;
    for (const key of [...modules]) {
      const waiting = this.#modules.get(key);
      if (waiting && waiting.lanes.busy >= ofModule) continue;
      modules.delete(key);
      const run = waiting?.lanes.begin();
      if (!waiting || !run) continue;
      this.#start(waiting, run);
      // Move the module to the end, so that the others come first.
      if (waiting.lanes.isReady) modules.add(key);
      return true;
    }
    if (modules.size === 0) this.#ready.delete(projectId);
    return false;
  }

  #start(waiting: Waiting, run: WaitingRun): void {
    const slot = this.#slots.take(waiting.known.module.projectId);
    const running = this.#do(waiting, run, slot)
      .catch(error => {
        this.#platform.log('warn', 'A run of a smart module was interrupted', { error: String(error) });
        return new Date(this.#platform.clock().getTime() + retryMs);
      })
      .then(nextAt => {
        this.#running.delete(running);
        slot.leave();
        waiting.lanes.end(run, nextAt);
        if (!waiting.stop.signal.aborted) this.#markReady(waiting);
        this.#pump();
      });
    this.#running.add(running);
  }

  /** Returns the time of the next attempt, if any. A run that is postponed leaves its lane until it is due. */
  async #do(waiting: Waiting, { id }: WaitingRun, slot: Slot): Promise<Date | undefined> {
    const { known, stop } = waiting;
    const { projectId, id: moduleId } = known.module;
    const key = { projectId, moduleId, id };
    const begun = await this.#begin.add(key);
    if (begun === nothing || stop.signal.aborted) return undefined;
    if ('gone' in begun) {
      const summary = 'Not done: the event or its device was deleted';
      const end = { state: 'dropped' as const, nextAt: null, attempt: undefined, summary };
      return this.#end({ ...key, ...end, type: known.type, suspend: undefined });
    }
    const { due, about } = begun;
    slot.holds(begun.stateBytes);
    const module = due.revision === known.module.revision ? known.module : await this.#reread(known);
    const tried = await tryRun(
      this.#platform,
      known.type,
      {
        runId: id,
        module,
        attempt: due.attempts + 1,
        isTest: due.isTest,
        isOlder: due.isOlder,
        ...about,
        causedBy: due.causedBy,
        ...(due.dueAt && { dueAt: due.dueAt }),
      },
      stop.signal,
    );
    if (stop.signal.aborted && !tried.outcome.isOk) return undefined;
    const now = this.#platform.clock();
    const end = endOf(tried, { attempts: due.attempts, type: known.type, now });
    const nextAt = await this.#end({ ...key, ...end, type: known.type, suspend: tried.outcome.suspend });
    if (!end.dueAt) return nextAt;
    waiting.postponedMs = Math.min(waiting.postponedMs, end.dueAt.getTime());
    return undefined;
  }

  /** Reloads the module, which was just changed. */
  async #reread({ module }: KnownModule): Promise<OpenModule> {
    const row = await findModule(this.#platform.db, module.projectId, module.id);
    return row ? openModule(this.#platform, row) : module;
  }

  async #end(ended: Ended): Promise<Date | undefined> {
    await this.#store.add(ended);
    const { projectId, moduleId } = ended;
    this.#unpublished.set(keyOf({ projectId, id: moduleId }), { projectId, moduleId });
    return ended.nextAt ?? undefined;
  }

  /** Notifies open consoles, at most once a second. */
  #publish(): void {
    const nowMs = performance.now();
    if (nowMs - this.#publishedMs < publishAgainMs || this.#unpublished.size === 0) return;
    this.#publishedMs = nowMs;
    for (const { projectId, moduleId } of this.#unpublished.values()) {
      const path = `/projects/${projectId}/smartModules/${moduleId}`;
      publishLive(this.#platform, projectId, { kind: 'changed', path });
    }
    this.#unpublished.clear();
  }
}
