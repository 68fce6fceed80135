/** A fault with its position: lines and columns count from 1, in UTF-16 units. */
export interface CodeMark {
  line: number;
  column: number;
  length: number;
  message: string;
}

/** A word to suggest, with its meaning. */
export interface CodeWord {
  word: string;
  kind: 'variable' | 'filter' | 'tag' | 'function';
  description: string;
}

interface Lines {
  lines: number;
  length: number;
  line(number: number): { from: number; to: number };
}

/** The range of a mark in a text that may have been edited since: at least one character of the current text. */
export function rangeOf(doc: Lines, { line, column, length }: CodeMark): { from: number; to: number } {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  const begins = Math.min(from + Math.max(0, column - 1), to);
  const ends = Math.min(doc.length, begins + Math.max(1, length));
  // At the end of a line, only the preceding character can be underlined.
  return begins === ends && begins > 0 ? { from: begins - 1, to: ends } : { from: begins, to: ends };
}
