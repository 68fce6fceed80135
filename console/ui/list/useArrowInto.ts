import { type RefObject, useEffect, useRef } from 'react';
import { firstRowLink } from './Table.tsx';

/**
 * ↓ moves the focus to the first row, from the search and while nothing on the page has the focus; from there the table
 * handles the arrow keys.
 */
export function useArrowInto<E extends HTMLElement>(list: RefObject<E | null>): RefObject<E | null> {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'ArrowDown' || event.defaultPrevented) return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const at = document.activeElement;
      const isFree = at === document.body || at?.getAttribute('tabindex') === '-1';
      if (!isFree && !at?.matches('main input[type="search"]')) return;
      const first = list.current && firstRowLink(list.current);
      if (!first || document.querySelector('dialog:modal, [popover="auto"]:popover-open')) return;
      event.preventDefault();
      first.focus();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [list]);
  return list;
}

/** If the focused row disappears with a refetch, the first row gets the focus or, without rows, the screen. */
export function useFocusInList(list: RefObject<HTMLElement | null>, rows: unknown): void {
  const focused = useRef<EventTarget>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the visible rows change with the rows
  useEffect(() => {
    const within = focused.current;
    const isGone = within instanceof Element && !within.isConnected;
    if (!isGone || document.activeElement !== document.body) return;
    const first = list.current && firstRowLink(list.current);
    (first ?? document.querySelector('main'))?.focus({ preventScroll: true });
  }, [list, rows]);
  useEffect(() => {
    function onFocus({ target }: FocusEvent) {
      focused.current = target instanceof Node && list.current?.contains(target) ? target : undefined;
    }
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [list]);
}
