import type { SchemaFault } from '#contract/quarantine.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import { faultsOf, type Violation } from './schemas/schemaFaults.ts';
import { faultsMax, violationsOf } from './schemas.ts';

export interface Change {
  before: Record<string, unknown>;
  /** The merge patch that leads from one to the other. */
  patch: unknown;
  after: unknown;
}

/**
 * Validates only what a change introduces. A schema can become stricter than what a device reported long ago; if the
 * whole state were checked, the device could never report anything again. So a violation is excused that was there
 * before and has nothing to do with what the change sets: it stays if all of that is taken away.
 */
export function checkChange(schema: unknown, change: Change): SchemaFault[] {
  const { before, after } = change;
  const found = violationsOf(schema, after);
  // The first report is checked as a whole: there was no state before it.
  const isFirst = Object.keys(before).length === 0;
  const introduced = found.length === 0 || isFirst ? found : found.filter(notExcused(schema, change));
  return faultsOf(introduced, faultsMax);
}

function notExcused(schema: unknown, { before, patch, after }: Change): (violation: Violation) => boolean {
  const keysOf = (value: unknown) => new Set(violationsOf(schema, value).map(({ key }) => key));
  const [then, untouched] = [keysOf(before), keysOf(without(before, patch))];
  return violation => {
    // What was not checked part by part cannot be compared.
    if (violation.key === undefined || !then.has(violation.key)) return true;
    const count = (value: unknown) => membersAt(value, violation.place);
    // A device with too many members may change one of them, but not add another.
    if (violation.keyword === 'maxProperties') return count(after) > count(before);
    if (violation.keyword === 'minProperties') return count(after) < count(before);
    return !untouched.has(violation.key);
  };
}

/** What a merge patch neither sets nor removes. */
function without(value: Record<string, unknown>, patch: unknown): Record<string, unknown> {
  if (!isObject(patch)) return {};
  const left = Object.entries(value).flatMap(([name, old]): [string, unknown][] => {
    if (!Object.hasOwn(patch, name)) return [[name, old]];
    const set = patch[name];
    return isObject(old) && isObject(set) ? [[name, without(old, set)]] : [];
  });
  return Object.fromEntries(left);
}

function membersAt(value: unknown, at: string): number {
  let inner = value;
  for (const part of at.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    inner =
      typeof inner === 'object' && inner !== null
        ? Object.getOwnPropertyDescriptor(inner, name)?.value
        : undefined;
  }
  return isObject(inner) ? Object.keys(inner).length : 0;
}
