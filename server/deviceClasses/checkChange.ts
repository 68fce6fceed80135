import type { SchemaFault } from '#contract/quarantine.ts';
import { isObject } from '#rules/mergePatch.ts';
import { checkAgainst, faultsMax } from './schemas.ts';

export interface Change {
  before: Record<string, unknown>;
  /** The merge patch that leads from one to the other. */
  patch: unknown;
  after: unknown;
}

/**
 * Validates only what a change introduces. A schema can become stricter than what a device reported long ago; if the
 * whole state were checked, the device could never report anything again. So a violation that was there before is
 * excused, unless the change sets the same value again.
 */
export function checkChange(schema: unknown, { before, patch, after }: Change): SchemaFault[] {
  const faults = checkAgainst(schema, after, Number.POSITIVE_INFINITY);
  // The first report is checked as a whole: there was no state before it.
  if (faults.length === 0 || Object.keys(before).length === 0) return faults.slice(0, faultsMax);
  const old = new Set(checkAgainst(schema, before, Number.POSITIVE_INFINITY).map(keyOf));
  return faults.filter(fault => !old.has(keyOf(fault)) || states(patch, fault.at)).slice(0, faultsMax);
}

const keyOf = ({ at, text }: SchemaFault) => `${at} ${text}`;

/** Whether a merge patch sets the value at this place, instead of merging into it or leaving it alone. */
function states(patch: unknown, at: string): boolean {
  let value = patch;
  for (const part of at.split('/').slice(1)) {
    // An array is replaced as a whole.
    if (!isObject(value)) return true;
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return !isObject(value);
}
