import { Chunk } from '@codemirror/merge';
import { Text } from '@codemirror/state';
import { lineDiff } from './lineDiff.ts';

/** A removed or added line, with its number in the text that contains it. */
export interface LineChange {
  kind: 'removed' | 'added';
  number: number;
  text: string;
}

/** How closely two texts are compared; the same for the view and for screen readers. */
export const diffConfig = { override: lineDiff };

/** The differences between two texts, line by line: the diff in words. */
export function lineChanges(before: string, after: string): LineChange[] {
  const [a, b] = [before, after].map(text => Text.of(text.split(/\r?\n/))) as [Text, Text];
  return Chunk.build(a, b, diffConfig).flatMap(({ fromA, toA, fromB, toB }) => [
    ...linesOf(a, fromA, toA).map(line => ({ kind: 'removed' as const, ...line })),
    ...linesOf(b, fromB, toB).map(line => ({ kind: 'added' as const, ...line })),
  ]);
}

function linesOf(doc: Text, from: number, to: number): Omit<LineChange, 'kind'>[] {
  // An empty text has no line to remove or add.
  if (to <= from || doc.length === 0) return [];
  const [first, last] = [doc.lineAt(from).number, doc.lineAt(Math.min(to - 1, doc.length)).number];
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const { number, text } = doc.line(first + at);
    return { number, text };
  });
}
