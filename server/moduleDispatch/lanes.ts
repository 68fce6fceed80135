import type { WaitingRun } from '#server/moduleRuns/waitingRuns.ts';

/** The waiting runs for one device, or those on schedule, in order. */
interface Lane {
  runs: string[];
  /** The time of the next attempt of the first run, after a failed one; 0 otherwise. */
  nextAtMs: number;
  isBusy: boolean;
}

/** The waiting runs of one module, in a lane for each device, so that a failing run delays no other device. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes whose first run can begin, in the order in which they became ready. */
  readonly #ready = new Set<string>();
  /** Lanes waiting for their next attempt. */
  readonly #resting = new Set<string>();
  /** Number of runs that are waiting or active. */
  waiting = 0;
  busy = 0;

  get isReady(): boolean {
    return this.#ready.size > 0;
  }

  add({ id, deviceId, nextAt }: WaitingRun): void {
    const lane = this.#lanes.get(deviceId);
    this.waiting += 1;
    if (lane) {
      lane.runs.push(id);
      return;
    }
    const nextAtMs = nextAt?.getTime() ?? 0;
    this.#lanes.set(deviceId, { runs: [id], nextAtMs, isBusy: false });
    (nextAtMs > 0 ? this.#resting : this.#ready).add(deviceId);
  }

  /** Replaces the known runs by the stored ones; active runs and runs that were just added are kept. */
  replace(stored: readonly WaitingRun[]): void {
    const ids = new Set(stored.map(({ id }) => id));
    const before = [...this.#lanes];
    this.#lanes.clear();
    this.#ready.clear();
    this.#resting.clear();
    this.waiting = 0;
    const begun = new Set<string>();
    for (const [deviceId, { runs, isBusy }] of before) {
      const [first] = runs;
      if (!isBusy || first === undefined) continue;
      begun.add(first);
      this.#lanes.set(deviceId, { runs: [first], nextAtMs: 0, isBusy });
      this.waiting += 1;
    }
    for (const run of stored) if (!begun.has(run.id)) this.add(run);
    for (const [deviceId, { runs }] of before)
      for (const id of runs) if (!ids.has(id) && !begun.has(id)) this.add({ id, deviceId, nextAt: null });
  }

  /** Begins the first run of the next lane. */
  begin(): WaitingRun | undefined {
    const [deviceId] = this.#ready;
    const lane = deviceId === undefined ? undefined : this.#lanes.get(deviceId);
    const id = lane?.runs[0];
    if (deviceId === undefined || !lane || id === undefined) return undefined;
    this.#ready.delete(deviceId);
    lane.isBusy = true;
    this.busy += 1;
    return { id, deviceId, nextAt: null };
  }

  /** Ends an active run; with `nextAt`, it is retried at that time, before the other runs of its lane. */
  end({ id, deviceId }: Pick<WaitingRun, 'id' | 'deviceId'>, nextAt: Date | undefined): void {
    const lane = this.#lanes.get(deviceId);
    if (!lane?.isBusy || lane.runs[0] !== id) return;
    lane.isBusy = false;
    this.busy -= 1;
    if (nextAt) {
      lane.nextAtMs = nextAt.getTime();
      this.#resting.add(deviceId);
      return;
    }
    lane.runs.shift();
    lane.nextAtMs = 0;
    this.waiting -= 1;
    if (lane.runs.length > 0) this.#ready.add(deviceId);
    else this.#lanes.delete(deviceId);
  }

  /** Wakes the lanes whose next attempt is due. */
  wake(nowMs: number): void {
    for (const deviceId of this.#resting) {
      const lane = this.#lanes.get(deviceId);
      if (lane && lane.nextAtMs > nowMs) continue;
      this.#resting.delete(deviceId);
      if (lane && !lane.isBusy) this.#ready.add(deviceId);
    }
  }
}
