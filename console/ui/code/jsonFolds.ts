/** From and to, both within, counted from 1. */
export type LineRange = readonly [from: number, to: number];

/** A part of a text that can be folded into one line. */
export interface JsonFold {
  id: string;
  /** What it is the value of, for those who do not see it. */
  name: string;
  lines: LineRange;
}

/** A line as it is shown. */
export interface ShownLine {
  /** As counted in the whole text. */
  number: number;
  text: string;
  /** Of a line on which something begins that can be folded. */
  fold?: JsonFold & { isOpen: boolean; members: number };
  /** Of a line into which something is folded: how that ends. */
  end?: string;
}

/** A text of so many lines fits beside the smallest table, and is read without folding anything. */
const wholeMax = 18;
/** So many lines between the braces are not worth a press. */
const smallMax = 2;

/** The folds that are open unless somebody says otherwise: all of a short text, small ones, and what `line` lies in. */
export function isOpenAtFirst({ lines: [from, to] }: JsonFold, total: number, line = 0): boolean {
  return total <= wholeMax || to - from - 1 <= smallMax || (line >= from && line <= to);
}

/** The lines that are left when all is folded that is not open. */
export function shownLines(
  lines: readonly string[],
  folds: readonly JsonFold[],
  isOpen: (fold: JsonFold) => boolean,
): ShownLine[] {
  // Of two that begin on one line the outer one comes first.
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
      ...{ number, text },
      ...(fold && { fold: { ...fold, isOpen: open, members: membersIn(lines, fold.lines) } }),
      ...(!open && { end: lines[fold.lines[1] - 1]?.trim() ?? '' }),
    });
    if (!open) number = fold.lines[1];
  }
  return shown;
}

/** The line on which a line is seen: its own, or the one into which it is folded. */
export function shownAt(shown: readonly ShownLine[], line: number): number {
  return shown.findLast(({ number }) => number <= line)?.number ?? 1;
}

/** How many members an object has, or items a list: the lines one step deeper than the one it begins on. */
function membersIn(lines: readonly string[], [from, to]: LineRange): number {
  const depth = indentOf(lines[from - 1]) + 2;
  return lines.slice(from, to - 1).filter(line => indentOf(line) === depth && !/^\s*[\]}]/.test(line)).length;
}

function indentOf(line = ''): number {
  return line.length - line.trimStart().length;
}
