import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { createStore, useStore } from '#console/core/store.ts';

/** True until the user's first action: the screen is the one that the page was opened with. */
export const opening = createStore(true);

/** From then on screens are rendered at once, so that a screen returned to has its scroll position and focus. */
export const endOpening = () => opening.set(false);

interface LaterProps {
  /** False: the contents cannot be rendered yet. */
  when?: boolean;
  /** Shown until then, with the height of the contents. */
  space?: ReactNode;
  children: ReactNode;
}

/**
 * While the page opens, renders the contents after their surroundings and in short slices: a slow phone shows the frame
 * first and reacts to touches in between, instead of blocking until everything is done.
 */
export function Later({ when = true, space, children }: LaterProps) {
  const isOpening = useStore(opening);
  const [isDue, setDue] = useState(when && !isOpening);
  useEffect(() => {
    // `useDeferredValue` would commit together with the surroundings if those are deferred as well.
    if (when) startTransition(() => setDue(true));
  }, [when]);
  return when && (isDue || !isOpening) ? children : space;
}
