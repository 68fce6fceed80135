import { Problem } from '#contract/problem.ts';
import type { Admission } from '#server/deviceKeys/admission.ts';
import type { GatewayParts } from '#server/gateway/parts.ts';

/** Counts a call with the messages of its device. It cannot be held back as they can: it is told when to come again. */
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
