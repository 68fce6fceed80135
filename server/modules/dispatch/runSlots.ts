/**
 * Limits for concurrent runs in this process: the busier it is, the fewer a module or project may have, so that others
 * get their share.
 */
const shares = [
  { below: 128, ofModule: 16, ofProject: 64 },
  { below: 208, ofModule: 4, ofProject: 16 },
  { below: 256, ofModule: 1, ofProject: 2 },
] as const;
/** A run that takes longer than this gives up its slot, unless as many runs as may be, or as large ones, have done so. */
const slowMs = 1_000;
const slowMax = 1_024;
/** Limit for the states of devices that slow runs hold, as text: parsed, they are several times as large. */
const slowBytesMax = 16 * 1024 * 1024;

/** The slot of a run. */
export interface Slot {
  /** The size of what it holds until it ends, as text. */
  holds(bytes: number): void;
  leave(): void;
}

/** The slots for concurrent runs of this process. */
export class RunSlots {
  readonly #busyOf = new Map<string, number>();
  readonly #onFree: () => void;
  #busy = 0;
  #slow = 0;
  #slowBytes = 0;

  /** `onFree` is called when a slow run gives up its slot. */
  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  /** How many concurrent runs each module of a project may have now; 0 if the project has its share. */
  ofModule(projectId: string): number {
    const share = shares.find(({ below }) => this.#busy < below);
    return share && (this.#busyOf.get(projectId) ?? 0) < share.ofProject ? share.ofModule : 0;
  }

  /**
   * Occupies a slot until it leaves it. A slow run waits for another server, which costs little more than the memory it
   * holds, so it gives up its slot to other modules and counts only against the limit of its own module.
   */
  take(projectId: string): Slot {
    this.#count(projectId, 1);
    let [isSlow, bytes] = [false, 0];
    const timer = setTimeout(() => {
      if (this.#slow >= slowMax || this.#slowBytes + bytes > slowBytesMax) return;
      isSlow = true;
      this.#slow += 1;
      this.#slowBytes += bytes;
      this.#count(projectId, -1);
      this.#onFree();
    }, slowMs);
    return {
      holds: held => {
        if (isSlow) this.#slowBytes += held - bytes;
        bytes = held;
      },
      leave: () => {
        clearTimeout(timer);
        if (!isSlow) return this.#count(projectId, -1);
        this.#slow -= 1;
        this.#slowBytes -= bytes;
      },
    };
  }

  #count(projectId: string, by: 1 | -1): void {
    this.#busy += by;
    const busy = (this.#busyOf.get(projectId) ?? 0) + by;
    if (busy > 0) this.#busyOf.set(projectId, busy);
    else this.#busyOf.delete(projectId);
  }
}
