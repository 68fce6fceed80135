import { isObject } from '#rules/mergePatch.ts';
import { isSameJson } from '#rules/stateDelta.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** The merge patch that turns one object into the other. */
export function patchBetween(before: JsonObject, after: JsonObject): Record<string, unknown> {
  const changed: [string, unknown][] = Object.keys(before)
    .filter(name => !Object.hasOwn(after, name))
    .map(name => [name, null]);
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (isObject(old) && isObject(value)) {
      const inner = patchBetween(old, value);
      if (Object.keys(inner).length > 0) changed.push([name, inner]);
    } else if (!Object.hasOwn(before, name) || !isSameJson(old, value)) changed.push([name, value]);
  }
  return Object.fromEntries(changed);
}

/** Whether two patches affect at least one common value. */
export const overlap = (a: JsonObject, b: JsonObject): boolean => haveInCommon(a, b, () => true);

/** Whether two patches set at least one value to the same. */
export const agree = (a: JsonObject, b: JsonObject): boolean => haveInCommon(a, b, isSameJson);

/** Whether a desired state still asks for everything that a patch set; null asks that the member be absent. */
export function stillAsks(desired: unknown, patch: unknown): boolean {
  if (!isObject(patch)) return isSameJson(desired, patch);
  if (!isObject(desired)) return false;
  return Object.entries(patch).every(([name, value]) => {
    const wanted = Object.hasOwn(desired, name) ? desired[name] : null;
    return stillAsks(wanted, value);
  });
}

function haveInCommon(a: JsonObject, b: JsonObject, isIt: (a: unknown, b: unknown) => boolean): boolean {
  return Object.entries(a).some(([name, value]) => {
    if (!Object.hasOwn(b, name)) return false;
    const other = b[name];
    return isObject(value) && isObject(other) ? haveInCommon(value, other, isIt) : isIt(value, other);
  });
}
