import { type ReactNode, useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { Menu, type MenuItem } from '#console/ui/dialog/Menu.tsx';
import type { Page } from '#contract/paging.ts';
import css from './ListScreen.module.css';
import { countText } from './ListScreen.tsx';

interface Selection {
  ids: ReadonlySet<string>;
  all: boolean;
  choose: (ids: ReadonlySet<string>) => void;
  chooseAll: () => void;
  clear: () => void;
}

/** Rows stay chosen from page to page; another question begins anew. */
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

/** How many are chosen, what can be done with them, and from a whole page on: all that match. */
export function SelectionBar({ selection, page, size, children }: SelectionBarProps) {
  const count = selection.all ? countText(page) : selection.ids.size.toLocaleString('en');
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
  /** After the buttons, and what takes its place in the menu. */
  more?: ReactNode;
  moreItems?: readonly MenuItem[];
}

/** What can be done with the chosen rows. On a phone: the first of it, and a menu of all else. */
export function SelectionActs({ acts, more, moreItems = [] }: SelectionActsProps) {
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
