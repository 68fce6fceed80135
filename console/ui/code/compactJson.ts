const widthMax = 56;

/** Formatted JSON with short parts on one line: an array of words, an object with one member. */
export function compactJson(text: string): string {
  // Twice, because a part that contains a short array may itself be short.
  return joined(joined(text.split('\n'))).join('\n');
}

function joined(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const end = closingOf(lines, at);
    const inner = lines.slice(at + 1, end).map(one => one.trim());
    const isArray = line.endsWith('[');
    const gap = isArray ? '' : ' ';
    const one = `${line}${gap}${inner.join(' ')}${gap}${lines[end]?.trim()}`;
    const isShort = end > at && one.length <= widthMax && (isArray || inner.length === 1);
    kept.push(isShort ? one : line);
    if (isShort) at = end;
  }
  return kept;
}

/** The line that closes the part opened on this line, if all lines in between are values; otherwise -1. */
function closingOf(lines: readonly string[], at: number): number {
  if (!/[[{]$/.test(lines[at] ?? '')) return -1;
  const end = lines.findIndex((line, other) => other > at && /^\s*[\]}],?$|[[{]$/.test(line));
  return /^\s*[\]}],?$/.test(lines[end] ?? '') ? end : -1;
}
