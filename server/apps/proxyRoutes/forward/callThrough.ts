import { Problem } from '#contract/problem.ts';
import type { Platform } from '#server/infra/platform.ts';
import { backEndOf } from './backEnd.ts';
import { BackEndCall, type Outcome, type Outgoing, type Receiver } from './backEndCall.ts';
import type { Taker } from './slots.ts';

const left: Outcome = { status: 0, bytes: 0, hasLeft: true };

/** Calls the back end of a route within its limits. Rejects if the answer does not begin. */
export async function callThrough(
  platform: Platform,
  { route, by }: { route: { id: string; targetUrl: string }; by: Taker },
  outgoing: Outgoing,
  receiver: Receiver,
): Promise<Outcome> {
  const backEnd = backEndOf(platform, route.id);
  const nowMs = platform.clock().getTime();
  const openUntil = backEnd.breaker.openUntil(nowMs);
  if (openUntil !== undefined)
    throw new Problem('PROXY_OPEN', { retryAfterS: Math.ceil((openUntil - nowMs) / 1000) });
  const hasSlot = await backEnd.slots.take(by, platform.proxyLimits.idleMs, hear => receiver.onLeft(hear));
  if (!hasSlot) return left;
  let call: BackEndCall | undefined;
  try {
    const opened = backEnd.pool(route.targetUrl);
    const pool = opened instanceof Promise ? await opened : opened;
    if (receiver.hasLeft) return left;
    // The slot is freed only when the connection is free or closed; otherwise there could be more connections than
    // slots.
    call = new BackEndCall(pool, outgoing, receiver, platform.proxyLimits, () => backEnd.slots.free(by));
    const outcome = await call.run();
    if (!outcome.hasLeft) backEnd.breaker.record(outcome.failedFor !== undefined, platform.clock().getTime());
    return outcome;
  } catch (error) {
    if (isFailure(error)) backEnd.breaker.record(true, platform.clock().getTime());
    throw error;
  } finally {
    if (!call) backEnd.slots.free(by);
  }
}

const isFailure = (error: unknown) =>
  error instanceof Problem && (error.reason === 'PROXY_UNREACHABLE' || error.reason === 'PROXY_TIMEOUT');
