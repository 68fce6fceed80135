/**
 * Compares two names in the order of the server's lists: without regard to case and accents, and numbers by their value,
 * so that `relay2` comes before `relay10`. A collator would do, but takes a browser 20 ms to load.
 */
export function byName(one: string, other: string): number {
  const [parts, others] = [partsOf(one), partsOf(other)];
  for (const [at, part] of parts.entries()) {
    const against = others[at] ?? '';
    // The same number may be written with zeros in front.
    const apart = at % 2 ? Number(part) - Number(against) : part < against ? -1 : Number(part > against);
    if (apart !== 0) return apart;
  }
  return parts.length - others.length;
}

/** Numbers are at the odd places. */
const partsOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .split(/([0-9]+)/);
