import { isObject } from '../json/mergePatch.ts';

/**
 * The part of the desired state that is not reported yet, as a merge patch: applied to the reported state it
 * yields the desired state. An empty object when they match. A desired null means the member should be absent.
 */
export function stateDelta(
  reported: Readonly<Record<string, unknown>>,
  desired: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const left: [string, unknown][] = [];
  for (const [name, wanted] of Object.entries(desired)) {
    const has = Object.hasOwn(reported, name);
    const value = has ? reported[name] : undefined;
    if (wanted === null) {
      if (has) left.push([name, null]);
    } else if (isObject(wanted) && isObject(value)) {
      const inner = stateDelta(value, wanted);
      if (Object.keys(inner).length > 0) left.push([name, inner]);
    } else if (!has || !isSameJson(value, wanted)) left.push([name, wanted]);
  }
  return Object.fromEntries(left);
}

/** Deep equality, ignoring the order of members. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSameJson(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(name => Object.hasOwn(b, name) && isSameJson(a[name], b[name]))
  );
}
