import { type RefObject, useEffect } from 'react';
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
