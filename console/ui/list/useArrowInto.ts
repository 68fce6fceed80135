import { type RefObject, useEffect } from 'react';
import { firstRowLink } from './Table.tsx';

/** ↓ while nothing on the page has the focus goes to the first row of the list; from there the arrows are the table's. */
export function useArrowInto(list: RefObject<HTMLElement | null>): void {
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
}
