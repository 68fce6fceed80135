import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { createStore, useStore } from '#console/store.ts';

/** True until one first does something: what is on screen is what the page was opened with. */
export const opening = createStore(true);

/** From now on screens are drawn at once, so that what one comes back to has its place and its focus. */
export const endOpening = () => opening.set(false);

interface LaterProps {
  /** False: what it holds cannot be drawn yet. */
  when?: boolean;
  /** In its place until then, as high as what comes. */
  space?: ReactNode;
  children: ReactNode;
}

/**
 * While the page opens, draws what it holds after what stands around it and in short slices: a slow phone shows the frame
 * first and answers a touch in between, instead of being busy with all at once.
 */
export function Later({ when = true, space, children }: LaterProps) {
  const isOpening = useStore(opening);
  const [isDue, setDue] = useState(when && !isOpening);
  useEffect(() => {
    // A deferred value would come together with what stands around it, where that is deferred itself.
    if (when) startTransition(() => setDue(true));
  }, [when]);
  return when && (isDue || !isOpening) ? children : space;
}
