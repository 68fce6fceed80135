import { isObject } from '#rules/json/mergePatch.ts';
import { isSameJson } from '#rules/state/stateDelta.ts';

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

/** Whether two patches set at least one value to the same. */
export function agree(a: JsonObject, b: JsonObject): boolean {
  return Object.entries(a).some(([name, value]) => {
    if (!Object.hasOwn(b, name)) return false;
    const other = b[name];
    // An empty object is a value itself.
    return isSameJson(value, other) || (isObject(value) && isObject(other) && agree(value, other));
  });
}

/** Whether a desired state still asks for everything that a patch set; null asks that the member be absent. */
export function stillAsks(desired: unknown, patch: unknown): boolean {
  if (!isObject(patch)) return isSameJson(desired, patch);
  if (!isObject(desired)) return false;
  return Object.entries(patch).every(([name, value]) => {
    const wanted = Object.hasOwn(desired, name) ? desired[name] : null;
    return stillAsks(wanted, value);
  });
}

/** Whether a change of the desired state no longer asks that something be removed that a patch asked to remove. */
export function givesUpRemoval(before: unknown, desired: unknown, patch: JsonObject): boolean {
  return Object.entries(patch).some(([name, value]) => {
    if (!isObject(before) || !Object.hasOwn(before, name)) return false;
    const wanted = isObject(desired) && Object.hasOwn(desired, name) ? desired[name] : undefined;
    if (value === null) return before[name] === null && wanted === undefined;
    return isObject(value) && givesUpRemoval(before[name], wanted, value);
  });
}

/**
 * Whether a device still has to do something that a patch set and that is still desired. A member that was removed from
 * the desired state asks for nothing, but what it was in must be an object, as for every other change in it.
 */
export function isLeftToDo(patch: JsonObject, desired: JsonObject, reported: unknown): boolean {
  return Object.entries(patch).some(([name, value]) => {
    if (!Object.hasOwn(desired, name)) return false;
    const wanted = desired[name];
    const has = isObject(reported) && Object.hasOwn(reported, name);
    const is = has ? reported[name] : undefined;
    if (value === null) return has;
    if (!isObject(value)) return !has || !isSameJson(is, value);
    return isObject(wanted) && (!isObject(is) || isLeftToDo(value, wanted, is));
  });
}
