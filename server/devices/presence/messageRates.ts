import { burstS } from '#rules/devices/gatewayLimits.ts';
import type { Admission } from '#server/devices/keys/admission.ts';
import type { Config } from '#server/infra/config.ts';
import { Buckets, type Rate, type TokenBucket } from '#server/infra/pace/tokenBucket.ts';

const unlimited: Rate = { perS: Number.MAX_SAFE_INTEGER, burst: Number.MAX_SAFE_INTEGER };

/**
 * One token bucket per device, shared by its connections and calls. It outlives them, because reconnecting must
 * not refill it.
 */
export class MessageRates {
  readonly #isLimited: boolean;
  readonly #buckets = new Buckets();

  constructor({ rateLimits }: Pick<Config, 'rateLimits'>) {
    this.#isLimited = rateLimits;
  }

  rateOf({ messageRate: perS }: Pick<Admission, 'messageRate'>): Rate {
    return this.#isLimited ? { perS, burst: perS * burstS } : unlimited;
  }

  /** The bucket of a device without a connection on this gateway. */
  of(device: Pick<Admission, 'id' | 'messageRate'>): TokenBucket {
    return this.#buckets.of(device.id, this.rateOf(device), performance.now());
  }

  /** Called when the last connection of a device ends. */
  put(deviceId: string, bucket: TokenBucket): void {
    this.#buckets.put(deviceId, bucket, performance.now());
  }
}
