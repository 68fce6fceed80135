/** The part of a description that fits below a name. */
export function firstLine(text: string, max = 120): string {
  const [line = ''] = text.split('\n');
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
