import { keepAliveMaxS } from '#contract/deviceProtocol.ts';

/** How long a device may be silent, and what its log says to that when it is not what the device asked for. */
export function silenceOf(keepAliveS: number): { mostMs: number; note: string | undefined } {
  const takenS = Math.min(keepAliveS || keepAliveMaxS, keepAliveMaxS);
  const asked = keepAliveS === 0 ? 'The device requested none' : `The device requested ${keepAliveS} s`;
  const note = takenS === keepAliveS ? undefined : `${asked}; the gateway allows at most ${takenS} s.`;
  return { mostMs: takenS * 1500, note };
}
