/** From and to, inclusive, counted from 1. */
export type LineRange = readonly [from: number, to: number];

/** A part of a text that can be folded into one line. */
export interface JsonFold {
  id: string;
  /** The name of the value, for screen readers. */
  name: string;
  lines: LineRange;
}

/** A line as it is shown. */
export interface ShownLine {
  /** Its number in the whole text. */
  number: number;
  text: string;
  /** Set if a foldable part starts on this line. */
  fold?: JsonFold & { isOpen: boolean; members: number };
  /** Set if a part is folded into this line: the end of that part. */
  end?: string;
}

/** A text of up to this many lines fits beside the smallest table, and is readable without folding. */
const wholeMax = 18;
/** Folding this many lines or fewer is not worth a press. */
const smallMax = 2;

/** Whether a part is initially open: every part of a short text, small parts, and those that contain `line`. */
export function isOpenAtFirst({ lines: [from, to] }: JsonFold, total: number, line = 0): boolean {
  return total <= wholeMax || to - from - 1 <= smallMax || (line >= from && line <= to);
}

/** The lines that remain when all parts that are not open are folded. */
export function shownLines(
  lines: readonly string[],
  folds: readonly JsonFold[],
  isOpen: (fold: JsonFold) => boolean,
): ShownLine[] {
  // If two parts start on one line, the outer one comes first.
  const byLine = new Map(
    folds
      .filter(({ lines: [from, to] }) => to > from)
      .toReversed()
      .map(fold => [fold.lines[0], fold]),
  );
  const shown: ShownLine[] = [];
  for (let number = 1; number <= lines.length; number++) {
    const text = lines[number - 1] ?? '';
    const fold = byLine.get(number);
    const open = fold === undefined || isOpen(fold);
    shown.push({
      number,
      text,
      ...(fold && { fold: { ...fold, isOpen: open, members: membersIn(lines, fold.lines) } }),
      ...(!open && { end: lines[fold.lines[1] - 1]?.trim() ?? '' }),
    });
    if (!open) number = fold.lines[1];
  }
  return shown;
}

/** The line that shows a given line: itself, or the one it is folded into. */
export function shownAt(shown: readonly ShownLine[], line: number): number {
  return shown.findLast(({ number }) => number <= line)?.number ?? 1;
}

/** The number of members of an object, or items of a list: the lines indented one step deeper than its first line. */
function membersIn(lines: readonly string[], [from, to]: LineRange): number {
  const depth = indentOf(lines[from - 1]) + 2;
  return lines.slice(from, to - 1).filter(line => indentOf(line) === depth && !/^\s*[\]}]/.test(line)).length;
}

function indentOf(line = ''): number {
  return line.length - line.trimStart().length;
}
