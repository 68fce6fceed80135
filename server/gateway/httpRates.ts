import { Problem } from '#contract/problem.ts';
import type { Admission } from './admission.ts';
import { messageRate } from './messageRate.ts';
import type { GatewayParts } from './parts.ts';
import { Buckets } from './tokenBucket.ts';

/** What devices may send by calls: as much as over a connection, and together with it. */
export class HttpRates {
  readonly #parts: Pick<GatewayParts, 'platform' | 'devices' | 'notes'>;
  readonly #buckets = new Buckets();

  constructor(parts: Pick<GatewayParts, 'platform' | 'devices' | 'notes'>) {
    this.#parts = parts;
  }

  /** A call cannot be held back as a connection can: it is refused, and told when to come again. */
  take(device: Admission): void {
    if (!this.#parts.platform.config.rateLimits) return;
    const nowMs = performance.now();
    const bucket =
      this.#parts.devices.get(device.id)?.bucket ?? this.#buckets.of(device.id, messageRate(device), nowMs);
    const waitMs = bucket.waitMs(nowMs);
    if (waitMs > 0) {
      this.#parts.notes.limited(device);
      throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: Math.ceil(waitMs / 1000) });
    }
    bucket.take(nowMs);
  }
}
