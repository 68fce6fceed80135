/**
 * Formats JSON with an indent of two spaces, changing only whitespace: unlike parsing and serializing, this
 * preserves every digit of a number and the order of keys. Expects valid JSON.
 */
export function formatJson(text: string): string {
  const found = text.match(parts) ?? [];
  let depth = 0;
  return found
    .map((part, at) => {
      const isOpening = part === '{' || part === '[';
      const isLast = found[at + 1] === '}' || found[at + 1] === ']';
      // Empty brackets stay together.
      if (isOpening !== isLast) depth = Math.max(0, depth + (isOpening ? 1 : -1));
      const breaks = isOpening !== isLast || part === ',';
      return part + (part === ':' ? ' ' : '') + (breaks ? `\n${'  '.repeat(depth)}` : '');
    })
    .join('');
}

const parts = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
