import type { Config } from '#server/config.ts';
import { networkOf } from '#server/pace/network.ts';

/**
 * More than the system hands over at once, when all devices come back at the same instant; and of one network fewer than
 * would keep all others out.
 */
const roomFor = { all: 5_000, network: 500 };

/** Connections that have not said who they are. Anybody can open them: for a while, but not without end. */
export class PreAuthConnections {
  readonly #isLimited: boolean;
  readonly #networks = new Map<string, number>();
  #all = 0;

  constructor({ rateLimits }: Pick<Config, 'rateLimits'>) {
    this.#isLimited = rateLimits;
  }

  get size(): number {
    return this.#all;
  }

  /** Whether one more may come from there. */
  hasRoom(address: string): boolean {
    if (this.#all >= roomFor.all) return false;
    return !this.#isLimited || (this.#networks.get(networkOf(address)) ?? 0) < roomFor.network;
  }

  /** Answers what is to be called when it has said who it is, or is over. */
  enter(address: string): () => void {
    const network = networkOf(address);
    this.#count(network, 1);
    let isIn = true;
    return () => {
      if (isIn) this.#count(network, -1);
      isIn = false;
    };
  }

  #count(network: string, change: 1 | -1): void {
    this.#all += change;
    const count = (this.#networks.get(network) ?? 0) + change;
    if (count > 0) this.#networks.set(network, count);
    else this.#networks.delete(network);
  }
}
