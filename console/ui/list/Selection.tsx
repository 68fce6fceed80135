import { type ReactNode, useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { Button } from '#console/ui/Button.tsx';
import { Menu, type MenuItem } from '#console/ui/dialog/Menu.tsx';
import type { Page } from '#contract/paging.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './ListScreen.module.css';
import { countText } from './ListScreen.tsx';

interface Selection {
  ids: ReadonlySet<string>;
  all: boolean;
  choose: (ids: ReadonlySet<string>) => void;
  chooseAll: () => void;
  clear: () => void;
}

/** The selected rows stay selected across pages; another query clears the selection. */
export function useSelection(question: string): Selection {
  const [kept, keep] = useState({ question, ids: noIds, all: false });
  const { ids, all } = kept.question === question ? kept : { ids: noIds, all: false };
  return {
    ids,
    all,
    choose: next => keep({ question, ids: next, all: false }),
    chooseAll: () => keep({ question, ids, all: true }),
    clear: () => keep({ question, ids: noIds, all: false }),
  };
}

const noIds: ReadonlySet<string> = new Set();

interface SelectionBarProps {
  selection: Selection;
  page: Page<unknown>;
  size: number;
  children: (count: string) => ReactNode;
}

/**
 * The number of selected rows, the actions for them and, once a whole page is selected, an offer to select all matches.
 */
export function SelectionBar({ selection, page, size, children }: SelectionBarProps) {
  const count = selection.all ? countText(page) : numberText(selection.ids.size);
  const isPageOfMany = selection.ids.size >= Math.min(size, page.items.length) && page.total > size;
  return (
    <div className={css.selection}>
      <b role="status">{count} selected</b>
      {!selection.all && isPageOfMany && (
        <Button variant="quiet" onClick={selection.chooseAll}>
          Select all {countText(page)} matching
        </Button>
      )}
      {children(count)}
      <Button variant="quiet" onClick={selection.clear}>
        Clear selection
      </Button>
    </div>
  );
}

interface SelectionActsProps {
  acts: readonly { label: string; run: () => void; danger?: boolean }[];
  /** Shown after the buttons, and the items that replace it in the menu. */
  more?: ReactNode;
  moreItems?: readonly MenuItem[];
}

/**
 * The actions for the selected rows. On a phone: the first action, and a menu for the others. The palette offers them
 * too, because on a long page many rows lie between the focus and the bar.
 */
export function SelectionActs({ acts, more, moreItems = [] }: SelectionActsProps) {
  useActions(acts.map(({ label, run }) => ({ label: `${label} selected`, run })));
  const [first, ...others] = acts;
  if (!first) return null;
  return (
    <>
      <Button onClick={first.run}>{first.label}</Button>
      <span className={css.wide}>
        {others.map(({ label, run }) => (
          <Button key={label} onClick={run}>
            {label}
          </Button>
        ))}
        {more}
      </span>
      <span className={css.narrow}>
        <Menu label="More actions" items={[...others, ...moreItems]} />
      </span>
    </>
  );
}
