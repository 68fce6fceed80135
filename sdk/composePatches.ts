import { isObject, type JsonObject } from './json.ts';

/**
 * One merge patch (RFC 7396) that does what two do after each other. Undefined where none can: the first puts something
 * in a place, and the second goes into it.
 */
export function composePatches(first: JsonObject, second: JsonObject): JsonObject | undefined {
  const both = new Map(Object.entries(first));
  for (const [name, value] of Object.entries(second)) {
    const before = both.get(name);
    if (before === undefined || !isObject(value)) {
      both.set(name, value);
      continue;
    }
    const inner = isObject(before) ? composePatches(before, value) : undefined;
    if (!inner) return undefined;
    both.set(name, inner);
  }
  return Object.fromEntries(both);
}
