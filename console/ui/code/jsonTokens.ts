/** A piece of a line of JSON, by what it is. */
export interface JsonToken {
  kind: 'name' | 'text' | 'figure' | 'mark' | 'blank';
  text: string;
}

const pieces = /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|(-?\d[\d.eE+-]*|true|false|null)|([{}[\],:]+)|(\s+)|([^\s])/g;

/** A line of laid out JSON in pieces that can be coloured; strings do not run over its end. */
export function jsonTokens(line: string): JsonToken[] {
  return [...line.matchAll(pieces)].map(([text, string, colon, figure, mark]) => {
    if (string !== undefined) return { kind: colon === undefined ? 'text' : 'name', text };
    if (figure !== undefined) return { kind: 'figure', text };
    return { kind: mark === undefined ? 'blank' : 'mark', text };
  });
}
