import { claimCodeMax, claimCodeMin } from '#rules/devices/claimCode.ts';

/** The characters of a text that a claim code can contain, as they are: capitals and small letters differ. */
export function claimCodeIn(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, claimCodeMax);
}

export const isClaimCode = (code: string): boolean => code.length >= claimCodeMin;
