import { messageBurst, messagesPerS } from '#contract/deviceProtocol.ts';
import { Problem } from '#contract/problem.ts';
import type { Noted } from './notes.ts';
import type { GatewayParts } from './parts.ts';
import { TokenBucket } from './tokenBucket.ts';

const bucketsMax = 50_000;

/** What devices may send by calls: as much as over a connection, and together with it. */
export class HttpRates {
  readonly #parts: Pick<GatewayParts, 'platform' | 'devices' | 'notes'>;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(parts: Pick<GatewayParts, 'platform' | 'devices' | 'notes'>) {
    this.#parts = parts;
  }

  /** A call cannot be held back as a connection can: it is refused, and told when to come again. */
  take(device: Noted): void {
    if (!this.#parts.platform.config.rateLimits) return;
    const nowMs = performance.now();
    const bucket = this.#parts.devices.get(device.id)?.bucket ?? this.#bucketOf(device.id, nowMs);
    const waitMs = bucket.waitMs(nowMs);
    if (waitMs > 0) {
      this.#parts.notes.limited(device);
      throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: Math.ceil(waitMs / 1000) });
    }
    bucket.take(nowMs);
  }

  #bucketOf(deviceId: string, nowMs: number): TokenBucket {
    const bucket = this.#buckets.get(deviceId) ?? new TokenBucket(messagesPerS, messageBurst, nowMs);
    // Moving the key to the end keeps the map ordered by use, so that the first one is the one to forget.
    this.#buckets.delete(deviceId);
    this.#buckets.set(deviceId, bucket);
    if (this.#buckets.size > bucketsMax) this.#buckets.delete(this.#buckets.keys().next().value ?? '');
    return bucket;
  }
}
