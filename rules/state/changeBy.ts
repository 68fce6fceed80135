import { isObject, mergePatch } from '../json/mergePatch.ts';
import { isSameJson } from './stateDelta.ts';

/** Merge patches as JSON text: this is what is stored, and it takes half as much as objects. */
export interface Change {
  /** The patch reduced to what actually changed. */
  patch: string;
  /** The patch that reverts the change. */
  undo: string;
}

/**
 * What a merge patch changes in an object without null members, and how to undo it. Looks only at the members in the
 * patch, however large the object is. Undefined: it changes nothing.
 */
export function changeBy(
  before: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Change | undefined {
  let forth = '';
  let back = '';
  const add = (name: string, now: string, was: string) => {
    const begin = `${forth === '' ? '{' : ','}${JSON.stringify(name)}:`;
    forth += begin + now;
    back += begin + was;
  };
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    const was = Object.hasOwn(before, name) ? before[name] : null;
    if (isObject(value) && isObject(was)) {
      const inner = changeBy(was, value);
      if (inner) add(name, inner.patch, inner.undo);
      continue;
    }
    const now = mergePatch(undefined, value);
    if (!isSameJson(was, now)) add(name, JSON.stringify(now), JSON.stringify(was));
  }
  return forth === '' ? undefined : { patch: `${forth}}`, undo: `${back}}` };
}
