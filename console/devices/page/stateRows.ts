import { isObject } from '#rules/json/mergePatch.ts';
import { byName } from '#rules/text/byName.ts';

type Json = unknown;

/** One value of a device's state, with its path. */
export interface StateRow {
  path: string;
  /** The property names on the path. */
  keys: readonly string[];
  /** As JSON; undefined if there is no value. */
  reported: string | undefined;
  desired: string | undefined;
  /** Desired, but not yet reported. */
  isDue: boolean;
}

interface Leaf {
  keys: readonly string[];
  text: string;
}

const depthMax = 8;

/** The reported and the desired state side by side, value by value. */
export function stateRows({
  reported,
  desired,
  delta,
}: {
  reported: Json;
  desired: Json;
  delta: Json;
}): StateRow[] {
  const [is, shall, due] = [leavesOf(reported), leavesOf(desired), leavesOf(delta)];
  const paths = [...new Set([...is.keys(), ...shall.keys()])].sort(byName);
  return paths.map(path => ({
    path,
    keys: (is.get(path) ?? shall.get(path))?.keys ?? [],
    reported: is.get(path)?.text,
    desired: shall.get(path)?.text,
    isDue: due.has(path),
  }));
}

function leavesOf(value: Json, keys: readonly string[] = [], leaves = new Map<string, Leaf>()) {
  for (const [name, inner] of Object.entries(value as object)) {
    const here = [...keys, name];
    const isDeeper =
      typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.keys(inner).length > 0;
    if (isDeeper && keys.length < depthMax) leavesOf(inner, here, leaves);
    else leaves.set(here.join('.'), { keys: here, text: JSON.stringify(inner) });
  }
  return leaves;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The desired state with one value set or removed; an object left without members is removed as well. */
export function withDesired(desired: JsonObject, keys: readonly string[], value: unknown): JsonObject {
  const [key = '', ...deeper] = keys;
  const inner = Object.hasOwn(desired, key) ? desired[key] : undefined;
  const next =
    deeper.length === 0 ? value : emptied(withDesired(isObject(inner) ? inner : {}, deeper, value));
  const { [key]: _, ...others } = desired;
  return next === undefined ? others : { ...others, [key]: next };
}

function emptied(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length > 0 ? object : undefined;
}
