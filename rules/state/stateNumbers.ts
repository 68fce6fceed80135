import { isObject } from '../json/mergePatch.ts';

/** The maximum number of properties per device that have a history: the first ones by name. */
export const historyPropertiesMax = 50;
const propertyPathMax = 200;
const depthMax = 6;
/** Sums of larger values would overflow. */
export const valueMax = 1e100;
const special = /[.\\]/;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The numbers in an object by path, such as `power.watts`; dots and backslashes in a name are escaped with a backslash.
 * Booleans count as 0 and 1, so their mean is the share of reports that were true. Arrays are ignored.
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

/** The names in the path of a number: `power.watts` is `watts` in `power`. */
export const keysOfPath = (path: string): string[] =>
  (path.match(/(?:\\.|[^.\\])+/gs) ?? []).map(key => key.replace(/\\(.)/gs, '$1'));

/** The numbers of a state that have a history, and the names of those that exceed the limit of a device. */
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

/** The number of values in an object at any depth; counting stops once it exceeds `max`. */
function membersOf(object: JsonObject, max: number): number {
  let count = 0;
  for (const name in object) {
    const value = object[name];
    count += 1 + (isObject(value) ? membersOf(value, max - count) : 0);
    if (count > max) break;
  }
  return count;
}

/** The numbers in a report that was merged into `state`, as JSON. Undefined: the report contains none. */
export function numbersSaid(state: JsonObject, report: JsonObject): string | undefined {
  // The report was merged into the state: if the state has few members, all its numbers are within the limit.
  const kept =
    membersOf(state, historyPropertiesMax) <= historyPropertiesMax ? undefined : dividedNumbers(state).kept;
  let text = '';
  collect(report, '', 1, (path, number) => {
    if (!kept || kept.has(path)) text += `${text === '' ? '{' : ','}${JSON.stringify(path)}:${number}`;
  });
  return text === '' ? undefined : `${text}}`;
}
