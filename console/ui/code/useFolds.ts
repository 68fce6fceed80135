import { useState } from 'react';
import { isOpenAtFirst, type JsonFold, type ShownLine, shownLines } from './jsonFolds.ts';

/** Folds parts of a text: by default depending on the part, and then as pressed. The chosen part opens. */
export function useFolds(
  lines: readonly string[],
  folds: readonly JsonFold[],
  chosenLine: number | undefined,
): { shown: ShownLine[]; toggle: (fold: { id: string; isOpen: boolean }) => void } {
  const [pressed, setPressed] = useState<Readonly<Record<string, boolean>>>({});
  const [openedFor, setOpenedFor] = useState(chosenLine);
  if (openedFor !== chosenLine) {
    setOpenedFor(chosenLine);
    setPressed(before => withoutAround(before, folds, chosenLine));
  }
  const isOpen = (fold: JsonFold) => pressed[fold.id] ?? isOpenAtFirst(fold, lines.length, chosenLine);
  return {
    shown: shownLines(lines, folds, isOpen),
    toggle: ({ id, isOpen: wasOpen }) => setPressed(before => ({ ...before, [id]: !wasOpen })),
  };
}

/** Forgets presses on the parts that contain a line. */
function withoutAround(
  pressed: Readonly<Record<string, boolean>>,
  folds: readonly JsonFold[],
  line = 0,
): Readonly<Record<string, boolean>> {
  const around = folds.filter(({ lines: [from, to] }) => line >= from && line <= to).map(({ id }) => id);
  return Object.fromEntries(Object.entries(pressed).filter(([id]) => !around.includes(id)));
}
