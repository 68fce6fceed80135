import { keepAliveMaxS, silentIntervalsMax } from '#rules/devices/disconnectAfter.ts';

/**
 * The effective keep-alive interval, and a note for the device log if it differs from what the device
 * requested.
 */
export function silenceOf(keepAliveS: number): { mostMs: number; note: string | undefined } {
  const takenS = Math.min(keepAliveS || keepAliveMaxS, keepAliveMaxS);
  const asked = keepAliveS === 0 ? 'The device requested none' : `The device requested ${keepAliveS} s`;
  const note = takenS === keepAliveS ? undefined : `${asked}; the gateway allows at most ${takenS} s.`;
  return { mostMs: takenS * silentIntervalsMax * 1000, note };
}
