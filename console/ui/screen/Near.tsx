import { type CSSProperties, type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { useStore } from '#console/store.ts';
import { opening } from './Later.tsx';
import css from './Near.module.css';

interface NearProps {
  /** False: what stands above it has not its height yet. */
  when?: boolean;
  /** About how high it is, in pixels: so much room is kept for it. */
  height: number;
  children: ReactNode;
}

/** So far below the view something is near: half a screen. */
const rootMargin = '0px 0px 50% 0px';

/**
 * While the page opens, what it holds is drawn, and read, once it is near the view: whoever only glances at the top of a
 * page on a phone does not wait for what is far below. Once one does something, all of it comes.
 */
export function Near({ when = true, height, children }: NearProps) {
  const isOpening = useStore(opening);
  // A dialog that the address names may be held by any of it.
  const [isNear, setNear] = useState(!isOpening || window.location.hash !== '');
  const room = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!when || !room.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && startTransition(() => setNear(true)),
      { rootMargin },
    );
    observer.observe(room.current);
    return () => observer.disconnect();
  }, [when]);
  if (when && (isNear || !isOpening)) return children;
  return <div ref={room} className={css.room} style={{ '--room': `${height}px` } as CSSProperties} />;
}
