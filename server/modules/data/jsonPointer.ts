/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
export function partOf(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let here: unknown = value;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}
