/**
 * JSON Merge Patch (RFC 7396): null takes a member away, objects are merged, all else replaces what was there. Answers
 * anew and changes nothing; a member named `__proto__` is plain data like any other.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // Unlike an assignment, this makes a member of every name.
  return Object.fromEntries(merged);
}

/** Whether it is a JSON object: no list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
