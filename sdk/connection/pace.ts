export interface Rate {
  perS: number;
  burst: number;
}

/** Below the lowest rate limit of a project. */
const slowest: Rate = { perS: 0.5, burst: 2 };

/** A token bucket: a number of messages per second, and a burst after a pause. */
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

  /** Halves the rate. */
  halve(): void {
    this.#perS = Math.max(slowest.perS, this.#perS / 2);
    this.#burst = Math.max(slowest.burst, this.#burst / 2);
    this.#left = Math.min(this.#left, 0);
  }

  /** Takes a token if at least `reserve` are left afterwards. */
  take(reserve = 0): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perS);
    this.#at = now;
    if (this.#left < 1 + reserve) return false;
    this.#left -= 1;
    return true;
  }

  /** How long until a token is available. */
  get waitMs(): number {
    return Math.max(1, Math.ceil(((1 - this.#left) / this.#perS) * 1000));
  }
}
