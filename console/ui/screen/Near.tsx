import { type CSSProperties, type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { opening } from './Later.tsx';
import css from './Near.module.css';

interface NearProps {
  /** False: the content above does not have its final height yet. */
  when?: boolean;
  /** The approximate height in pixels, which is reserved. */
  height: number;
  children: ReactNode;
}

/** Content less than half a screen below the view counts as near. */
const rootMargin = '0px 0px 50% 0px';

/**
 * While the page opens, the contents are rendered, and read, only once they are near the view: someone who only looks
 * at the top of a page on a phone does not wait for what is far below. After the user's first action, everything is
 * rendered.
 */
export function Near({ when = true, height, children }: NearProps) {
  const isOpening = useStore(opening);
  // Any content may hold the dialog that the address names.
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
