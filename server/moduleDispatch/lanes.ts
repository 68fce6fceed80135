import type { WaitingRun } from '#server/moduleRuns/waitingRuns.ts';

/** What waits for one device, or by the clock, in its order. */
interface Lane {
  runs: string[];
  /** The first of them has failed, and waits until then. */
  nextAtMs: number;
  isBusy: boolean;
}

/** What waits for one module: a lane for each device, so that one that fails holds up no other. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes whose first run can begin, in the order in which they became so. */
  readonly #ready = new Set<string>();
  /** Lanes that wait for their next attempt. */
  readonly #resting = new Set<string>();
  /** How many runs wait, or are being done. */
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

  /** Takes what is stored now in place of what was known; what runs goes on, and what was just added is kept. */
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

  /** Begins the first run of the lane whose turn it is. */
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

  /** The run that was begun is over; with `nextAt` it is to be tried again then, before the others of its lane. */
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
