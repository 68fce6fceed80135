import { createStore } from '#console/core/store.ts';
import type { IssuerFinding } from '#contract/userAuthMethod.ts';

/**
 * What the last check of each provider found, for as long as this tab is open: the server says it only once, in its
 * answer to the check.
 */
export const findings = createStore<Readonly<Record<string, readonly IssuerFinding[]>>>({});

/** A change without a check has no findings and keeps the previous ones. */
export function storeFindings(methodId: string, found: readonly IssuerFinding[]): void {
  if (found.length > 0) findings.set({ ...findings.get(), [methodId]: found });
}
