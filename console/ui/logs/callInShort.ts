/** The part of a call that its sentence leaves out: "CLAIM_CODE_WRONG, 12 ms". */
export function callInShort(detail: Readonly<Record<string, unknown>> | undefined): string {
  const { reason, status, ms } = detail ?? {};
  if (typeof status !== 'number' || typeof ms !== 'number') return '';
  return [reason, `${Math.round(ms).toLocaleString('en')}\u00a0ms`].filter(Boolean).join(', ');
}
