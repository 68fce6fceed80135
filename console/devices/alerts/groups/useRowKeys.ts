import { type RefObject, useRef } from 'react';
import { useActions } from '#console/core/actions.ts';
import { type AlertAct, actWords } from '#console/devices/alerts/alertWords.ts';

/** What the keys do in a row. */
export interface RowActs {
  select: () => void;
  /** The first is on `a`, except `resolve`, which is on `r`. */
  acts: readonly { act: AlertAct; run: () => void }[];
  fold?: () => void;
}

const keyOf: Record<AlertAct, string> = { acknowledge: 'a', resolve: 'r', reopen: 'a' };

/** One hand on the keyboard goes through the alerts: `j` and `k` move, the other keys act on the row in focus. */
export function useRowKeys(
  table: RefObject<HTMLTableElement | null>,
  rows: ReadonlyMap<string, RowActs>,
  acts: readonly AlertAct[],
): void {
  const stops = () => [...(table.current?.querySelectorAll<HTMLElement>('[data-row-main]') ?? [])];
  const current = () => document.activeElement?.closest<HTMLElement>('[data-row]');
  const here = () => rows.get(current()?.dataset.row ?? '');

  // Once the row in focus is gone, the one in its place is next.
  const last = useRef<number>(undefined);
  function move(step: 1 | -1): void {
    const all = stops();
    const at = all.findIndex(stop => current()?.contains(stop));
    const to = at < 0 ? (last.current ?? 0) : at + step;
    last.current = Math.min(all.length - 1, Math.max(0, to));
    const next = all[last.current];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  }

  useActions([
    { label: 'Next alert', keys: 'j', run: () => move(1) },
    { label: 'Previous alert', keys: 'k', run: () => move(-1) },
    { label: 'Fold or unfold the group', keys: 'o', run: () => here()?.fold?.() },
    { label: 'Select the alert', keys: 'x', run: () => here()?.select() },
    ...acts.map(act => ({
      label: `${actWords[act].verb} the alert in focus`,
      keys: keyOf[act],
      run: () =>
        here()
          ?.acts.find(one => one.act === act)
          ?.run(),
    })),
  ]);
}

/** The keys, for those who have not found them yet. */
export function keyHints(
  acts: readonly AlertAct[],
  mayAct: boolean,
): readonly [keys: string[], what: string][] {
  return [
    [['j', 'k'], 'next, previous'],
    [['o'], 'fold'],
    [['Enter'], 'open'],
    ...(mayAct
      ? ([[['x'], 'select'], ...acts.map(act => [[keyOf[act]], actWords[act].verb.toLowerCase()])] as [
          string[],
          string,
        ][])
      : []),
  ];
}
