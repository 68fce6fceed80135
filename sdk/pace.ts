export interface Rate {
  perS: number;
  burst: number;
}

/** How fast may be sent: so many per second, and a burst after a pause. */
export class Pace {
  readonly #perS: number;
  readonly #burst: number;
  #left: number;
  #at = performance.now();

  constructor({ perS, burst }: Rate) {
    this.#perS = perS;
    this.#burst = burst;
    this.#left = burst;
  }

  /** Takes one, if after it at least `reserve` are left. */
  take(reserve = 0): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perS);
    this.#at = now;
    if (this.#left < 1 + reserve) return false;
    this.#left -= 1;
    return true;
  }

  /** Until one can be taken. */
  get waitMs(): number {
    return Math.max(1, Math.ceil(((1 - this.#left) / this.#perS) * 1000));
  }
}
