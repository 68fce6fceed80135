import type { WaitingRun } from '#server/modules/runs/waitingRuns.ts';

/** The waiting runs for one device, or those on schedule, in order. */
interface Lane {
  runs: Turn[];
  isBusy: boolean;
}

/** `nextAtMs`: the time of its next attempt, after a failed one; 0 otherwise. */
interface Turn {
  id: string;
  nextAtMs: number;
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
    const turn = { id, nextAtMs: nextAt?.getTime() ?? 0 };
    this.waiting += 1;
    if (lane) {
      lane.runs.push(turn);
      return;
    }
    this.#lanes.set(deviceId, { runs: [turn], isBusy: false });
    this.#line(deviceId, turn);
  }

  /** Lines up a lane that is not busy, by its first run. */
  #line(deviceId: string, first: Turn): void {
    (first.nextAtMs > 0 ? this.#resting : this.#ready).add(deviceId);
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
      begun.add(first.id);
      this.#lanes.set(deviceId, { runs: [first], isBusy });
      this.waiting += 1;
    }
    for (const run of stored) if (!begun.has(run.id)) this.add(run);
    for (const [deviceId, { runs }] of before)
      for (const { id } of runs) if (!ids.has(id) && !begun.has(id)) this.add({ id, deviceId, nextAt: null });
  }

  /** Begins the first run of the next lane. */
  begin(): WaitingRun | undefined {
    const [deviceId] = this.#ready;
    const lane = deviceId === undefined ? undefined : this.#lanes.get(deviceId);
    const first = lane?.runs[0];
    if (deviceId === undefined || !lane || !first) return undefined;
    this.#ready.delete(deviceId);
    lane.isBusy = true;
    this.busy += 1;
    return { id: first.id, deviceId, nextAt: null };
  }

  /** Ends an active run; with `nextAt`, it is retried at that time, before the other runs of its lane. */
  end({ id, deviceId }: Pick<WaitingRun, 'id' | 'deviceId'>, nextAt: Date | undefined): void {
    const lane = this.#lanes.get(deviceId);
    const [first] = lane?.runs ?? [];
    if (!lane?.isBusy || first?.id !== id) return;
    lane.isBusy = false;
    this.busy -= 1;
    if (nextAt) {
      first.nextAtMs = nextAt.getTime();
      this.#resting.add(deviceId);
      return;
    }
    lane.runs.shift();
    this.waiting -= 1;
    const [next] = lane.runs;
    // The next run may wait for an attempt of its own: a run before it was repeated by hand.
    if (next) this.#line(deviceId, next);
    else this.#lanes.delete(deviceId);
  }

  /** Wakes the lanes whose next attempt is due. */
  wake(nowMs: number): void {
    for (const deviceId of this.#resting) {
      const lane = this.#lanes.get(deviceId);
      if ((lane?.runs[0]?.nextAtMs ?? 0) > nowMs) continue;
      this.#resting.delete(deviceId);
      if (lane && !lane.isBusy) this.#ready.add(deviceId);
    }
  }
}
