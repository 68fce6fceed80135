import { isIP, type LookupFunction } from 'node:net';
import type { Target } from './target.ts';

/** A checked target, for a long-lived connection. */
export interface DialTarget extends Target {
  /** Certificate authorities to trust instead of the usual ones. */
  ca: string | undefined;
}

/**
 * Returns the checked addresses for every lookup of a connection, because another DNS lookup could return different
 * ones.
 */
export function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map(address => ({ address, family: isIP(address) }));
  return (_host, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  };
}
