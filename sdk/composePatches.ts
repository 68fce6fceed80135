import { isObject, type JsonObject } from './json.ts';

/**
 * A single merge patch (RFC 7396) with the effect of two in sequence. Undefined if there is none, because the first
 * sets a value and the second changes a member within it.
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
