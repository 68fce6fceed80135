import { tellLive } from '#server/http/live.ts';
import type { NewRun } from '#server/moduleRuns/insertRuns.ts';
import { type WaitingRun, waitingCounts, waitingRuns } from '#server/moduleRuns/waitingRuns.ts';
import { GroupCommit } from '#server/pace/groupCommit.ts';
import type { Platform } from '#server/platform.ts';
import type { OpenModule } from '#server/smartModules/moduleType.ts';
import { findModule, openModule } from '#server/smartModules/store.ts';
import { type Begun, beginRuns, type RunKey } from './beginRuns.ts';
import { endOf, tryRun } from './doRun.ts';
import { Lanes } from './lanes.ts';
import { type KnownModule, keyOf } from './moduleBook.ts';
import { type Ended, storeEnds } from './storeEnds.ts';

/** Runs at once in this process; the fuller it is, the fewer a module or a project may have: the rest is for others. */
const shares = [
  { below: 128, ofModule: 16, ofProject: 64 },
  { below: 208, ofModule: 4, ofProject: 16 },
  { below: 256, ofModule: 1, ofProject: 2 },
] as const;
/** A run that takes longer than this gives its place away, as long as not too many have. */
const slowMs = 1_000;
const slowMax = 1_024;
const batchMax = 500;
const toldAgainMs = 1_000;
const retryMs = 1_000;

interface Waiting {
  known: KnownModule;
  lanes: Lanes;
  /** Ends when the module is no longer done here. */
  stop: AbortController;
}

const nothing = Symbol('nothing');

/**
 * Does what modules of this process’s shards have to do. What waits is in the database; the order in which it comes to
 * its turn is kept here.
 */
export class LaneRunner {
  readonly #platform: Platform;
  readonly #modules = new Map<string, Waiting>();
  /** Projects with modules that may begin something, each with those; the first of both is next. */
  readonly #ready = new Map<string, Set<string>>();
  readonly #busyOf = new Map<string, number>();
  readonly #begin: GroupCommit<RunKey, Begun | typeof nothing>;
  readonly #store: GroupCommit<Ended, undefined>;
  /** Modules whose consoles are to be told, by key; and when it was done last. */
  readonly #untold = new Map<string, { projectId: string; moduleId: string }>();
  #toldMs = 0;
  readonly #running = new Set<Promise<void>>();
  #busy = 0;
  #slow = 0;

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
        await storeEnds(platform, ended);
        return ended.map(() => undefined);
      },
      itemsMax: batchMax,
      patient: true,
    });
  }

  waitingOf(key: string): number {
    return this.#modules.get(key)?.lanes.waiting ?? 0;
  }

  /** Adds what was stored a moment ago. */
  add(runs: readonly NewRun[]): void {
    for (const { projectId, moduleId, id, deviceId } of runs) {
      const waiting = this.#modules.get(keyOf({ projectId, id: moduleId }));
      waiting?.lanes.add({ id, deviceId: deviceId ?? '', nextAt: null });
      if (waiting) this.#note(waiting);
    }
    this.#pump();
  }

  /** Takes over the modules of a shard as they are now, and leaves those of it that are not among them. */
  async take(all: readonly KnownModule[], before: readonly KnownModule[]): Promise<void> {
    const active = all.filter(({ module, isParked }) => !module.suspended && !isParked);
    const keys = new Set(active.map(({ module }) => keyOf(module)));
    for (const { module } of before) if (!keys.has(keyOf(module))) this.leave(keyOf(module));
    // Those that are parked, or changed otherwise, have perhaps more to do than is known. One that was deleted and created
    // anew can have the revision of the one before.
    const changed = active.filter(known => this.#modules.get(keyOf(known.module))?.known !== known);
    const counts = await waitingCounts(
      this.#platform.db,
      changed.map(({ module }) => module),
    );
    for (const known of changed) {
      const key = keyOf(known.module);
      const waiting = this.#modules.get(key) ?? { known, lanes: new Lanes(), stop: new AbortController() };
      waiting.known = known;
      this.#modules.set(key, waiting);
      if (waiting.lanes.waiting > 0 || counts.get(key)) await this.again(key);
    }
  }

  /** Reads anew what waits for a module; what runs goes on. */
  async again(key: string): Promise<void> {
    const waiting = this.#modules.get(key);
    if (!waiting) return;
    const { projectId, id } = waiting.known.module;
    waiting.lanes.replace(await waitingRuns(this.#platform.db, projectId, id));
    this.#note(waiting);
    this.#pump();
  }

  /** Reads anew what waits for modules of which more is stored than is known: a notice was lost. */
  async sweep(all: readonly KnownModule[]): Promise<void> {
    const counts = await waitingCounts(
      this.#platform.db,
      all.map(({ module }) => module),
    );
    for (const [key, count] of counts) if (count > this.waitingOf(key)) await this.again(key);
  }

  /** Ends what it does, to be done again by whoever takes the module next. */
  leave(key: string): void {
    const waiting = this.#modules.get(key);
    if (!waiting) return;
    this.#modules.delete(key);
    this.#ready.get(waiting.known.module.projectId)?.delete(key);
    waiting.stop.abort();
  }

  /** Modules whose next attempts are due go on. */
  wake(): void {
    const nowMs = this.#platform.clock().getTime();
    for (const waiting of this.#modules.values()) {
      waiting.lanes.wake(nowMs);
      this.#note(waiting);
    }
    this.#pump();
    this.#tell();
  }

  /** Ends all, and stores what has come to its end by then. */
  async stop(): Promise<void> {
    for (const key of [...this.#modules.keys()]) this.leave(key);
    await Promise.all(this.#running);
    await Promise.all([this.#begin.stop(), this.#store.stop()]);
  }

  #note({ known, lanes }: Waiting): void {
    if (!lanes.isReady) return;
    const { projectId } = known.module;
    const modules = this.#ready.get(projectId);
    if (modules) modules.add(keyOf(known.module));
    else this.#ready.set(projectId, new Set([keyOf(known.module)]));
  }

  /** Begins what may begin: one run of each project in turn, and in a project of each module. */
  #pump(): void {
    for (let began = true; began; ) {
      began = false;
      for (const projectId of [...this.#ready.keys()]) began = this.#beginOf(projectId) || began;
    }
  }

  #beginOf(projectId: string): boolean {
    const share = shares.find(({ below }) => this.#busy < below);
    const modules = this.#ready.get(projectId);
    if (!share || !modules || (this.#busyOf.get(projectId) ?? 0) >= share.ofProject) return false;
    for (const key of [...modules]) {
      const waiting = this.#modules.get(key);
      if (waiting && waiting.lanes.busy >= share.ofModule) continue;
      modules.delete(key);
      const run = waiting?.lanes.begin();
      if (!waiting || !run) continue;
      this.#start(waiting, run);
      // At the end: the others come first now.
      if (waiting.lanes.isReady) modules.add(key);
      return true;
    }
    if (modules.size === 0) this.#ready.delete(projectId);
    return false;
  }

  #start(waiting: Waiting, run: WaitingRun): void {
    const leave = this.#takePlace(waiting.known.module.projectId);
    const running = this.#do(waiting, run)
      .catch(error => {
        this.#platform.log('warn', 'A run of a smart module was interrupted', { error: String(error) });
        return new Date(this.#platform.clock().getTime() + retryMs);
      })
      .then(nextAt => {
        this.#running.delete(running);
        leave();
        waiting.lanes.end(run, nextAt);
        if (!waiting.stop.signal.aborted) this.#note(waiting);
        this.#pump();
      });
    this.#running.add(running);
  }

  /** When it is to be tried again, if it is. */
  async #do({ known, stop }: Waiting, { id }: WaitingRun): Promise<Date | undefined> {
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
    const module = due.revision === known.module.revision ? known.module : await this.#reread(known);
    const tried = await tryRun(
      this.#platform,
      known.type,
      {
        ...{ runId: id, module, attempt: due.attempts + 1, isTest: due.isTest, ...about },
        ...{ causedBy: due.causedBy, ...(due.dueAt && { dueAt: due.dueAt }) },
      },
      stop.signal,
    );
    if (stop.signal.aborted && !tried.outcome.isOk) return undefined;
    const now = this.#platform.clock();
    const end = endOf(tried, { attempts: due.attempts, type: known.type, now });
    return this.#end({ ...key, ...end, type: known.type, suspend: tried.outcome.suspend });
  }

  /**
   * One of the places there are, until it is left. Who takes longer waits for something outside, which costs next to
   * nothing: it gives its place to the others of its project, and keeps only that in its module.
   */
  #takePlace(projectId: string): () => void {
    this.#count(projectId, 1);
    let isSlow = false;
    const timer = setTimeout(() => {
      if (this.#slow >= slowMax) return;
      isSlow = true;
      this.#slow += 1;
      this.#count(projectId, -1);
      this.#pump();
    }, slowMs);
    return () => {
      clearTimeout(timer);
      if (isSlow) this.#slow -= 1;
      else this.#count(projectId, -1);
    };
  }

  #count(projectId: string, by: 1 | -1): void {
    this.#busy += by;
    const busy = (this.#busyOf.get(projectId) ?? 0) + by;
    if (busy > 0) this.#busyOf.set(projectId, busy);
    else this.#busyOf.delete(projectId);
  }

  /** As it is now: it was changed a moment ago. */
  async #reread({ module }: KnownModule): Promise<OpenModule> {
    const row = await findModule(this.#platform.db, module.projectId, module.id);
    return row ? openModule(this.#platform, row) : module;
  }

  async #end(ended: Ended): Promise<Date | undefined> {
    await this.#store.add(ended);
    const { projectId, moduleId } = ended;
    this.#untold.set(keyOf({ projectId, id: moduleId }), { projectId, moduleId });
    return ended.nextAt ?? undefined;
  }

  /** Open consoles hear of it, at most once a second. */
  #tell(): void {
    const nowMs = performance.now();
    if (nowMs - this.#toldMs < toldAgainMs || this.#untold.size === 0) return;
    this.#toldMs = nowMs;
    for (const { projectId, moduleId } of this.#untold.values()) {
      const path = `/projects/${projectId}/smartModules/${moduleId}`;
      tellLive(this.#platform, projectId, { kind: 'changed', path });
    }
    this.#untold.clear();
  }
}
