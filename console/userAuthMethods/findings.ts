import { createStore } from '#console/store.ts';
import type { IssuerFinding } from '#contract/userAuthMethod.ts';

/** What the last look at each provider found, for as long as this tab is open: the server says it once, when it looks. */
export const findings = createStore<Readonly<Record<string, readonly IssuerFinding[]>>>({});

/** A change that made nobody look has found nothing new. */
export function keepFindings(methodId: string, found: readonly IssuerFinding[]): void {
  if (found.length > 0) findings.set({ ...findings.get(), [methodId]: found });
}
