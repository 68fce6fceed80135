import { useLayoutEffect, useRef } from 'react';
import { createStore, useStore } from '#console/core/store.ts';
import css from './Toast.module.css';

const shownMs = 2000;
/** Time to notice a mistake and to reach the button. */
const undoMs = 8000;

interface Shown {
  text: string;
  undo?: (() => void) | undefined;
}

const shown = createStore<Shown | undefined>(undefined);

/** Confirms that something worked; disappears after 2 s, or after 8 s if it can be undone. A failure is never a toast. */
export function toast(text: string, { undo }: { undo?: () => void } = {}): void {
  const one = { text, undo };
  shown.set(one);
  setTimeout(() => hide(one), undo ? undoMs : shownMs);
}

function hide(one: Shown): void {
  if (shown.get() === one) shown.set(undefined);
}

/** The region is always there: one that appears together with its text is not read out. A dialog does not cover it. */
export function Toasts() {
  const one = useStore(shown);
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!one) return;
    // Shown again to be on top, as the latest popover covers the others.
    region.current?.hidePopover();
    region.current?.showPopover();
  }, [one]);
  const undo = () => {
    if (!one) return;
    hide(one);
    one.undo?.();
  };
  return (
    <div ref={region} popover="manual" className={css.region} role="status">
      {one && (
        <p className={css.toast}>
          {one.text}
          {one.undo && (
            <button type="button" className={css.undo} onClick={undo}>
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}
