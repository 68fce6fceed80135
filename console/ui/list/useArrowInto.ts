import { type RefObject, useEffect, useRef } from 'react';
import { firstRowLink } from './Table.tsx';

/** ↓ while nothing on the page has the focus goes to the first row of the list; from there the arrows are the table's. */
export function useArrowInto<E extends HTMLElement>(list: RefObject<E | null>): RefObject<E | null> {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'ArrowDown' || event.defaultPrevented) return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const at = document.activeElement;
      if (at !== document.body && at?.getAttribute('tabindex') !== '-1') return;
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

/** What stands for an empty list goes when the first row comes. If the focus was in it, it goes to that row. */
export function useFocusFirstRow(list: RefObject<HTMLElement | null>, isEmpty: boolean): void {
  const focused = useRef<EventTarget>(undefined);
  const wasEmpty = useRef(isEmpty);
  useEffect(() => {
    const within = focused.current;
    const isGone = within instanceof Element && !within.isConnected;
    if (wasEmpty.current && !isEmpty && isGone && document.activeElement === document.body && list.current)
      firstRowLink(list.current)?.focus();
    wasEmpty.current = isEmpty;
  }, [list, isEmpty]);
  useEffect(() => {
    function onFocus({ target }: FocusEvent) {
      focused.current = target instanceof Node && list.current?.contains(target) ? target : undefined;
    }
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [list]);
}
