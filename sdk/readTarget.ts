import { minuteMs } from '#rules/time/durations.ts';
import { Busy } from './busy.ts';
import type { Fetch } from './fetch.ts';
import { isTarget, type Target } from './frames.ts';

interface Ways {
  /** The URL of the platform, or of its WebSocket. */
  url: string;
  deviceId: string;
  apiKey: string;
  fetch: Fetch;
}

const withinMs = minuteMs;

/** Reads over HTTP what the device should run; the answer has fresh links. */
export async function readTarget({ url, deviceId, apiKey, fetch }: Ways): Promise<Target | null> {
  const address = new URL('/device/v1/target', url);
  address.protocol = address.protocol.replace('ws', 'http');
  const authorization = `Basic ${btoa(`${deviceId}:${apiKey}`)}`;
  const signal = AbortSignal.timeout(withinMs);
  const answer = await fetch(address.href, { headers: { authorization }, credentials: 'omit', signal });
  if (Busy.is(answer)) throw new Busy(answer);
  if (!answer.ok) throw new Error(`The target could not be read: the platform answers ${answer.status}.`);
  const target: unknown = await answer.json();
  if (target === null || isTarget(target)) return target;
  // Not null, which would mean that no firmware is assigned.
  throw new Error('The target could not be read: something else answered.');
}
