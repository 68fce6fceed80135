type Json = unknown;

/** One value of a device's state, by the path that leads to it. */
export interface StateRow {
  path: string;
  /** As JSON; undefined: there is none. */
  reported: string | undefined;
  desired: string | undefined;
  /** Desired, and not yet reported so. */
  isDue: boolean;
}

const depthMax = 8;

/** What is reported and what is desired side by side, value by value. */
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
  const paths = [...new Set([...is.keys(), ...shall.keys()])].sort(byPath);
  return paths.map(path => ({
    path,
    reported: is.get(path),
    desired: shall.get(path),
    isDue: due.has(path),
  }));
}

function leavesOf(
  value: Json,
  path = '',
  depth = 0,
  leaves = new Map<string, string>(),
): Map<string, string> {
  for (const [name, inner] of Object.entries(value as object)) {
    const at = path ? `${path}.${name}` : name;
    const isDeeper =
      typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.keys(inner).length > 0;
    if (isDeeper && depth < depthMax) leavesOf(inner, at, depth + 1, leaves);
    else leaves.set(at, JSON.stringify(inner));
  }
  return leaves;
}

const byPath = new Intl.Collator('en', { numeric: true }).compare;
