/**
 * Lays JSON out anew, two blanks a level, changing nothing but the blanks between its parts: unlike parsing it and
 * writing it again, this keeps every digit of a number and the order of keys. Expects JSON that can be parsed.
 */
export function formatJson(text: string): string {
  const found = text.match(parts) ?? [];
  let depth = 0;
  return found
    .map((part, at) => {
      const isOpening = part === '{' || part === '[';
      const isLast = found[at + 1] === '}' || found[at + 1] === ']';
      // Nothing between two brackets: they stay together.
      if (isOpening !== isLast) depth = Math.max(0, depth + (isOpening ? 1 : -1));
      const breaks = isOpening !== isLast || part === ',';
      return part + (part === ':' ? ' ' : '') + (breaks ? `\n${'  '.repeat(depth)}` : '');
    })
    .join('');
}

const parts = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
