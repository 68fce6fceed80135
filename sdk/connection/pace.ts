export interface Rate {
  perS: number;
  burst: number;
}

/** Below what any project allows. */
const slowest: Rate = { perS: 0.5, burst: 2 };

/** How fast may be sent: so many per second, and a burst after a pause. */
export class Pace {
  #perS: number;
  #burst: number;
  #left: number;
  #at = performance.now();

  constructor({ perS, burst }: Rate) {
    this.#perS = perS;
    this.#burst = burst;
    this.#left = burst;
  }

  /** From now on half as fast. */
  halve(): void {
    this.#perS = Math.max(slowest.perS, this.#perS / 2);
    this.#burst = Math.max(slowest.burst, this.#burst / 2);
    this.#left = Math.min(this.#left, 0);
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
