const valueBytesMax = 64 * 1024;
const tooLarge = 'The value is larger than 64 KiB';

/**
 * Converts a value to JSON, which can be sent to another process and stored. Counts while it converts: the same large
 * text can occur many times in a list.
 */
export function jsonValueOf(value: unknown): unknown {
  let left = valueBytesMax;
  const take = (bytes: number) => {
    left -= bytes;
    if (left < 0) throw new Error(tooLarge);
  };
  const entries = (pairs: Iterable<readonly [unknown, unknown]>) => {
    const converted: [string, unknown][] = [];
    for (const [name, inner] of pairs) {
      take(String(name).length + 3);
      converted.push([String(name), convert(inner)]);
    }
    return Object.fromEntries(converted);
  };
  const convert = (value: unknown): unknown => {
    take(typeof value === 'string' ? value.length + 2 : 2);
    if (typeof value === 'bigint') return Number(value);
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('The number is not finite');
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof Date) return value.toISOString();
    if (value instanceof Map) return entries(value);
    if ('seconds' in value && 'nanos' in value) return Number(value.seconds) + Number(value.nanos) / 1e9;
    if (value instanceof Uint8Array) {
      take(2 * value.length);
      return Buffer.from(value).toString('base64');
    }
    return Array.isArray(value) ? value.map(convert) : entries(entriesOf(value));
  };
  return convert(value);
}

function* entriesOf(value: object): Generator<[string, unknown]> {
  for (const name in value)
    if (Object.hasOwn(value, name)) yield [name, (value as Record<string, unknown>)[name]];
}
