import { useEffect } from 'react';

/** Where the focus was, from the element outwards; of a row, also its place in its table. */
interface Place {
  element: HTMLElement;
  around: readonly HTMLElement[];
  table: HTMLTableElement | null;
  row: Element | null;
  at: number;
}

/**
 * The focus is never lost with its element: if that is removed or disabled, what stands in its place gets it. This is
 * the row itself or the one that took its place, but never a button, which a second press of the same key would press.
 * Elsewhere it is the first row of a list that is there instead, or the nearest part of the page that is still there, so
 * that the keyboard continues from there.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let place: Place | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      place = target instanceof HTMLElement ? placeOf(target) : undefined;
    };
    const observer = new MutationObserver(() => {
      if (!place) return;
      if (!isLost(place.element)) {
        // Rows above come and go.
        if (place.table && place.element === document.activeElement) place = placeOf(place.element);
        return;
      }
      const lost = place;
      place = undefined;
      if (document.activeElement === document.body || document.activeElement === lost.element)
        takeFocus(lost);
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['disabled'],
    });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
}

/**
 * A part of the page that has a meaning of its own; in a box without one, a screen reader would say nothing. A dialog is
 * small, so in it the keyboard continues as near as possible.
 */
const isPlace = (element: HTMLElement) =>
  element.matches('main, section, form, nav, aside, [role]') || element.closest('dialog') !== null;

const isLost = (element: HTMLElement) => !element.isConnected || element.matches(':disabled');

const rowsOf = (table: HTMLTableElement) => [...table.querySelectorAll('tbody > tr')];

function placeOf(element: HTMLElement): Place {
  const around: HTMLElement[] = [];
  for (let one = element.parentElement; one && one !== document.body; one = one.parentElement)
    around.push(one);
  const table = element.closest('table');
  const row = element.closest('tbody > tr');
  return { element, around, table, row, at: table && row ? rowsOf(table).indexOf(row) : -1 };
}

function takeFocus({ around, table, row, at }: Place): void {
  const next = row?.isConnected ? row : table?.isConnected ? rowIn(table, at) : undefined;
  const near =
    around.find(one => one.isConnected && isPlace(one) && one.checkVisibility()) ??
    document.querySelector('main');
  const target = mainOf(next) ?? mainOf(near) ?? near;
  if (!target) return;
  target.focus({ preventScroll: true });
  if (document.activeElement === target) return;
  target.tabIndex = -1;
  target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  target.focus({ preventScroll: true });
}

function rowIn(table: HTMLTableElement, at: number): Element | undefined {
  const rows = rowsOf(table);
  return rows[Math.min(at, rows.length - 1)];
}

/** What a row is about, which opens it. */
const mainOf = (within: Element | null | undefined) => within?.querySelector<HTMLElement>('[data-row-main]');
