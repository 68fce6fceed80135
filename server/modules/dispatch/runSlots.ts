/**
 * Limits for concurrent runs in this process: the busier it is, the fewer a module or project may have, so that others
 * get their share.
 */
const shares = [
  { below: 128, ofModule: 16, ofProject: 64 },
  { below: 208, ofModule: 4, ofProject: 16 },
  { below: 256, ofModule: 1, ofProject: 2 },
] as const;
/** A run that takes longer than this gives up its slot, unless `slowMax` runs have done so. */
const slowMs = 1_000;
const slowMax = 1_024;

/** The slots for concurrent runs of this process. */
export class RunSlots {
  readonly #busyOf = new Map<string, number>();
  readonly #onFree: () => void;
  #busy = 0;
  #slow = 0;

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
   * Occupies a slot until the returned function is called. A slow run waits for another server, which costs next to
   * nothing, so it gives up its slot to other modules and counts only against the limit of its own module.
   */
  take(projectId: string): () => void {
    this.#count(projectId, 1);
    let isSlow = false;
    const timer = setTimeout(() => {
      if (this.#slow >= slowMax) return;
      isSlow = true;
      this.#slow += 1;
      this.#count(projectId, -1);
      this.#onFree();
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
}
