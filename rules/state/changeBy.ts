import { isObject, mergePatch } from '../mergePatch.ts';
import { isSameJson } from '../stateDelta.ts';

export interface Change {
  /** The merge patch that changes just what changed. */
  patch: Record<string, unknown>;
  /** The merge patch that leads back. */
  undo: Record<string, unknown>;
}

/**
 * What a merge patch changes in an object that no patch left a null in, and how to undo it. Looks at what the patch names
 * only, however large the object is. Undefined: it changes nothing.
 */
export function changeBy(
  before: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Change | undefined {
  const changed: [name: string, now: unknown, was: unknown][] = [];
  for (const [name, value] of Object.entries(patch)) {
    const was = Object.hasOwn(before, name) ? before[name] : null;
    if (isObject(value) && isObject(was)) {
      const inner = changeBy(was, value);
      if (inner) changed.push([name, inner.patch, inner.undo]);
      continue;
    }
    const now = mergePatch(undefined, value);
    if (!isSameJson(was, now)) changed.push([name, now, was]);
  }
  if (changed.length === 0) return undefined;
  return {
    patch: Object.fromEntries(changed.map(([name, now]) => [name, now])),
    undo: Object.fromEntries(changed.map(([name, , was]) => [name, was])),
  };
}
