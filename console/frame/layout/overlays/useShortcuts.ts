import { useEffect } from 'react';
import { actions } from '#console/core/actions.ts';
import { overlay, storeTyped, takeTyped } from './overlay.ts';
import { singleKeys } from './singleKeys.ts';

/** How long the first key of a sequence such as `g d` waits for the second. */
const sequenceMs = 1000;

/** Listens for the keys of the available actions. Those of the innermost screen come last and win. */
export function useShortcuts(): void {
  useEffect(() => {
    let first = '';
    let firstAt = 0;

    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return;
      const isJump = (event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k';
      if (isJump && !document.querySelector('dialog:modal')) {
        event.preventDefault();
        takeTyped();
        overlay.set('palette');
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (!document.querySelector('dialog:modal') && storeTyped(event.key)) {
        // The character would be inserted a moment later: if the palette is open by then, it would appear twice.
        event.preventDefault();
        return;
      }
      if (!singleKeys.get() || isBusy(event.composedPath()[0])) return;
      const sequence = event.timeStamp - firstAt < sequenceMs && first ? `${first} ${event.key}` : event.key;
      const offered = actions.get();
      const action =
        offered.findLast(({ keys }) => keys === sequence) ??
        offered.findLast(({ keys }) => keys === event.key);
      const begins = offered.some(({ keys }) => keys?.startsWith(`${event.key} `));
      first = begins ? event.key : '';
      firstAt = event.timeStamp;
      if (!action) return;
      event.preventDefault();
      action.run();
    }

    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * Whether the user is typing, including in the shadow root of an editor, or an overlay or dialog is open or loading.
 */
function isBusy(target: EventTarget | undefined): boolean {
  if (overlay.get() !== undefined) return true;
  if (document.querySelector('dialog:modal, [popover="auto"]:popover-open')) return true;
  return target instanceof HTMLElement && target.closest(typedInto) !== null;
}

/** A checkbox or a radio button takes no letters: the keys of a row work while its checkbox is in focus. */
const typedInto =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"])';
