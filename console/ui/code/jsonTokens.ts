/** A token of a line of JSON, with its kind. */
export interface JsonToken {
  kind: 'name' | 'text' | 'figure' | 'mark' | 'blank';
  text: string;
}

const pieces = /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|(-?\d[\d.eE+-]*|true|false|null)|([{}[\],:]+)|(\s+)|([^\s])/g;

/** The tokens of a line of formatted JSON, for colouring; strings do not span lines. */
export function jsonTokens(line: string): JsonToken[] {
  return [...line.matchAll(pieces)].map(([text, string, colon, figure, mark]) => {
    if (string !== undefined) return { kind: colon === undefined ? 'text' : 'name', text };
    if (figure !== undefined) return { kind: 'figure', text };
    return { kind: mark === undefined ? 'blank' : 'mark', text };
  });
}
