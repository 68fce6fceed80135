import { isSameJson } from '#rules/stateDelta.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Of a state with more properties, the times would weigh more than what they are about. */
const propertiesMax = 200;

/** The time of each property that is not what it was; null of one that is gone. Undefined: none are kept. */
export function changesOf(
  before: JsonObject,
  now: JsonObject,
  at: Date,
): Record<string, string | null> | undefined {
  if (Object.keys(now).length > propertiesMax) return undefined;
  // A property of this name is data like any other, but no record in an answer can hold it.
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    name => name !== '__proto__',
  );
  const changed = names.filter(name => !isSameJson(before[name], now[name]));
  return Object.fromEntries(changed.map(name => [name, Object.hasOwn(now, name) ? at.toISOString() : null]));
}
