import { keepAliveMaxS } from '#contract/deviceProtocol.ts';

/** How long a device may be silent, and what its log says to that when it is not what the device asked for. */
export function silenceOf(keepAliveS: number): { mostMs: number; note: string | undefined } {
  const takenS = Math.min(keepAliveS || keepAliveMaxS, keepAliveMaxS);
  const asked = keepAliveS === 0 ? 'It asked for none' : `It asked for ${keepAliveS} s`;
  const note = takenS === keepAliveS ? undefined : `${asked}, and the gateway takes ${takenS} s at most.`;
  return { mostMs: takenS * 1500, note };
}
