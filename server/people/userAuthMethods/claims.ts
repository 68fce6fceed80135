const entriesMax = 100;
const nameMax = 100;
const textMax = 1000;
const depthMax = 5;

/** The claims of a provider, limited in size: anyone can run a provider, and claim anything. */
export function boundedClaims(claims: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(boundedObject(claims, 0)).map(([name, value]) => {
    const text = JSON.stringify(value);
    return [name, text.length > textMax + 2 ? cut(text) : value];
  });
  return Object.fromEntries(kept);
}

function boundedObject(value: object, depth: number): Record<string, unknown> {
  const kept = Object.entries(value)
    .filter(([name]) => name !== '__proto__' && name.length <= nameMax)
    .slice(0, entriesMax)
    .map(([name, inner]) => [clean(name), bounded(inner, depth + 1)]);
  return Object.fromEntries(kept);
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(clean(value));
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth > depthMax) return '…';
  if (Array.isArray(value)) return value.slice(0, entriesMax).map(inner => bounded(inner, depth + 1));
  return boundedObject(value, depth);
}

const cut = (text: string) => (text.length > textMax ? `${text.slice(0, textMax)}…`.toWellFormed() : text);

/** PostgreSQL cannot store NUL and half surrogate pairs. */
const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');
