import { numberText } from '#rules/text/numberText.ts';

/** The part of a call that its sentence leaves out: "CLAIM_CODE_WRONG, 12 ms". */
export function callInShort(detail: Readonly<Record<string, unknown>> | undefined): string {
  const { reason, status, ms } = detail ?? {};
  if (typeof status !== 'number' || typeof ms !== 'number') return '';
  return [reason, `${numberText(Math.round(ms))}\u00a0ms`].filter(Boolean).join(', ');
}
