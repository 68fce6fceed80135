import { isSameJson } from '#rules/state/stateDelta.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** With more properties, the times would take more space than the values. */
const propertiesMax = 200;

/** The time of each property that changed; null for one that was removed. Undefined: no times are stored. */
export function changesOf(
  before: JsonObject,
  now: JsonObject,
  at: Date,
): Record<string, string | null> | undefined {
  if (Object.keys(now).length > propertiesMax) return undefined;
  // A property with this name is valid data, but no record in an answer can hold it.
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    name => name !== '__proto__',
  );
  const changed = names.filter(name => !isSameJson(before[name], now[name]));
  return Object.fromEntries(changed.map(name => [name, Object.hasOwn(now, name) ? at.toISOString() : null]));
}
