import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { createStore, useStore } from '#console/core/store.ts';
import css from './Toast.module.css';

/** With a button, there is time to notice a mistake and to reach it. */
const shownMs = { text: 2000, button: 8000 };

const shown = createStore<{ text: string; button?: ReactNode } | undefined>(undefined);

/** Confirms that something worked; disappears by itself. A failure is never a toast. */
export function toast(text: string, button?: ReactNode): void {
  const one = { text, button };
  shown.set(one);
  setTimeout(
    () => {
      if (shown.get() === one) shown.set(undefined);
    },
    button ? shownMs.button : shownMs.text,
  );
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
  return (
    <div ref={region} popover="manual" className={css.region} role="status">
      {one && (
        <p className={css.toast}>
          {one.text}
          {one.button}
        </p>
      )}
    </div>
  );
}
