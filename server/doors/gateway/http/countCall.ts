import { Problem } from '#contract/problem.ts';
import type { Admission } from '#server/devices/keys/admission.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';

/**
 * Counts a call against the message rate of its device. A call cannot be held back like a message, so it fails
 * with Retry-After.
 */
export function countCall({ devices, rates, notes }: GatewayParts, device: Admission): void {
  const nowMs = performance.now();
  const bucket = devices.get(device.id)?.bucket ?? rates.of(device);
  const waitMs = bucket.waitMs(nowMs);
  if (waitMs > 0) {
    notes.limited(device);
    throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: Math.ceil(waitMs / 1000) });
  }
  bucket.take(nowMs);
}
