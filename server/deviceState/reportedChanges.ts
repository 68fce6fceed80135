type JsonObject = Readonly<Record<string, unknown>>;

/** Of a state with more properties, the times would weigh more than what they are about. */
const propertiesMax = 200;

/** The time of each property that is not what it was; null of one that is gone. */
export function changesOf(before: JsonObject, now: JsonObject, at: Date): Record<string, string | null> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  if (names.length > propertiesMax) return {};
  const changed = names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  // A name such as `__proto__` is data.
  return Object.fromEntries(changed.map(name => [name, Object.hasOwn(now, name) ? at.toISOString() : null]));
}
