/**
 * JSON Merge Patch (RFC 7396): null removes a member, objects are merged, anything else replaces the old value.
 * Returns a new value without changing its arguments; a member named `__proto__` is treated like any other.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // Unlike an assignment, this creates a member for every name, including `__proto__`.
  return Object.fromEntries(merged);
}

/** Whether the value is a JSON object: not an array and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
