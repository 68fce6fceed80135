import type { Config } from '#server/infra/config.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';

/**
 * More than the listen backlog holds when all devices reconnect at once; per network, few enough that one
 * network cannot starve the others.
 */
const roomFor = { all: 5_000, network: 500 };

/**
 * Limits connections that have not sent their CONNECT: anyone can open them, but only so many and only for a limited
 * time. `KeyGuessLimit` bounds those that sent one with a wrong key.
 */
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

  /** Whether another connection from this address is accepted. */
  hasRoom(address: string): boolean {
    if (this.#all >= roomFor.all) return false;
    return !this.#isLimited || (this.#networks.get(networkOf(address)) ?? 0) < roomFor.network;
  }

  /** Returns a function to call when the connection has sent its CONNECT, or closed. */
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
