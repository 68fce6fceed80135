/** Time that a project used counts half after this long. */
const halfLifeMs = 5_000;
/** A project that used more than this of late has used up its share. */
export const shareMs = 500;
/** Less than this is forgotten, once this many projects are known. */
const forgottenMs = 0.1;
const forgetMin = 1_000;

/** How much time each project used of late, in all processes that evaluate its expressions. */
export class Shares {
  /** By project. */
  readonly #used = new Map<string, { ms: number; atMs: number }>();
  #forgetAt = forgetMin;

  isOver(project: string): boolean {
    return this.usedMs(project) > shareMs;
  }

  usedMs(project: string, nowMs = performance.now()): number {
    const used = this.#used.get(project);
    return used ? used.ms * 0.5 ** ((nowMs - used.atMs) / halfLifeMs) : 0;
  }

  charge(project: string, ms: number): void {
    const atMs = performance.now();
    this.#used.set(project, { ms: this.usedMs(project, atMs) + ms, atMs });
    if (this.#used.size > this.#forgetAt) this.#forget(atMs);
  }

  #forget(nowMs: number): void {
    for (const project of this.#used.keys())
      if (this.usedMs(project, nowMs) < forgottenMs) this.#used.delete(project);
    this.#forgetAt = forgetMin + 2 * this.#used.size;
  }
}
