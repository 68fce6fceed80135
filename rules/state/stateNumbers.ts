import { isObject } from '../mergePatch.ts';

/** So many numbers of a device have a history, the first by name. */
export const historyPropertiesMax = 50;
const propertyPathMax = 200;
const depthMax = 6;
/** Beyond it sums would overflow. */
export const valueMax = 1e100;
const special = /[.\\]/;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The numbers of an object by their path, such as `power.watts`; a dot or backslash in a name has a backslash before it.
 * Booleans are 0 and 1, so that their mean is the share of reports that said true. What is in arrays is left out.
 */
function numbersOf(state: JsonObject): Map<string, number> {
  const found = new Map<string, number>();
  collect(state, '', 1, (path, number) => found.set(path, number));
  return found;
}

function collect(
  object: JsonObject,
  before: string,
  depth: number,
  found: (path: string, number: number) => void,
): void {
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (name === '' || name === '__proto__') continue;
    const number = typeof value === 'boolean' ? Number(value) : value;
    const isNumber = typeof number === 'number' && Math.abs(number) <= valueMax;
    if (!isNumber && !isObject(value)) continue;
    const path = before + (special.test(name) ? name.replace(/[.\\]/g, '\\$&') : name);
    if (path.length > propertyPathMax) continue;
    if (isNumber) found(path, number);
    else if (isObject(value) && depth < depthMax) collect(value, `${path}.`, depth + 1, found);
  }
}

/** The names on the way to a number: `power.watts` is `watts` in `power`. */
export const keysOfPath = (path: string): string[] =>
  (path.match(/(?:\\.|[^.\\])+/gs) ?? []).map(key => key.replace(/\\(.)/gs, '$1'));

/** Those of a state that have a history, and the names of those for which a device has no room. */
export function dividedNumbers(state: JsonObject): { kept: Map<string, number>; left: string[] } {
  const all = numbersOf(state);
  if (all.size <= historyPropertiesMax) return { kept: all, left: [] };
  const names = [...all.keys()].sort();
  const kept = new Set(names.slice(0, historyPropertiesMax));
  return {
    kept: new Map([...all].filter(([name]) => kept.has(name))),
    left: names.slice(historyPropertiesMax),
  };
}

/** How many values an object holds, however deep; counted until there are more than `max`. */
function membersOf(object: JsonObject, max: number): number {
  let count = 0;
  for (const name in object) {
    const value = object[name];
    count += 1 + (isObject(value) ? membersOf(value, max - count) : 0);
    if (count > max) break;
  }
  return count;
}

/** What a report says of the numbers of a state that it was merged into, as JSON. Undefined: nothing. */
export function numbersSaid(state: JsonObject, report: JsonObject): string | undefined {
  // What is said was merged into the state: with few members, it has no more numbers than there is room for.
  const kept =
    membersOf(state, historyPropertiesMax) <= historyPropertiesMax ? undefined : dividedNumbers(state).kept;
  let text = '';
  collect(report, '', 1, (path, number) => {
    if (!kept || kept.has(path)) text += `${text === '' ? '{' : ','}${JSON.stringify(path)}:${number}`;
  });
  return text === '' ? undefined : `${text}}`;
}
