import { useLayoutEffect, useRef } from 'react';
import { createStore, useStore } from '#console/store.ts';
import css from './Toast.module.css';

const shownMs = 2000;

const shown = createStore<{ text: string } | undefined>(undefined);

/** Says that something worked; gone after 2 s. A failure is never a toast. */
export function toast(text: string): void {
  const one = { text };
  shown.set(one);
  setTimeout(() => {
    if (shown.get() === one) shown.set(undefined);
  }, shownMs);
}

/** The region is always there: one that appears together with its text is not read out. A dialog does not cover it. */
export function Toasts() {
  const one = useStore(shown);
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!one) return;
    // Anew, as what came last lies on top.
    region.current?.hidePopover();
    region.current?.showPopover();
  }, [one]);
  return (
    <div ref={region} popover="manual" className={css.region} role="status">
      {one && <p className={css.toast}>{one.text}</p>}
    </div>
  );
}
