import { setTimeout as pause } from 'node:timers/promises';
import { type Admission, refusalOf } from '#server/devices/keys/admission.ts';
import { type Credential, credentialOf } from '#server/devices/keys/credential.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';
import { timeOfId } from '#server/infra/ids.ts';

/** `DROPPED`: the key is also wrong, and too many rejections are pending to answer this one. */
export type NotLetIn = 'WRONG' | 'SUSPENDED' | 'DROPPED';

/** Authenticates devices by their key; concurrent requests share one query. */
export async function authenticate(
  parts: GatewayParts,
  { deviceId, key, address }: { deviceId: string; key: string; address: string },
): Promise<{ admission: Admission; credential: Credential } | NotLetIn> {
  // A malformed id could make the query fail for the whole batch, so it is rejected first.
  const isId = timeOfId('dev', deviceId) !== undefined;
  const admission = isId ? await parts.admissions.add(deviceId) : undefined;
  const credential = admission && credentialOf(parts.platform, admission, key);
  const refusal = credential && refusalOf(admission, credential, parts.platform.clock());
  if (admission && credential && !refusal) return { admission, credential };
  if (admission) parts.notes.rejected(admission, refusal ?? 'KEY_CHANGED', address);
  // The key was right, so the device can be told the reason.
  if (refusal === 'SUSPENDED') return 'SUSPENDED';
  return holdBack(parts, isId ? deviceId : undefined, address);
}

async function holdBack(
  { keyGuessLimit, platform }: GatewayParts,
  deviceId: string | undefined,
  address: string,
): Promise<NotLetIn> {
  if (!platform.config.rateLimits) return 'WRONG';
  const waitMs = keyGuessLimit.wrong(deviceId, address, performance.now());
  if (waitMs === undefined) return 'DROPPED';
  if (waitMs > 0) await keyGuessLimit.held(pause(waitMs));
  return 'WRONG';
}
