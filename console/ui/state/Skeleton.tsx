import { useEffect, useState } from 'react';
import css from './Skeleton.module.css';

const quietMs = 150;

/** Whether a wait is long enough to be shown, so that quick reads do not flash. */
function useSlow(): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), quietMs);
    return () => clearTimeout(timer);
  }, []);
  return slow;
}

interface SkeletonProps {
  /** The number of lines or table rows, in the shape of the content to come. */
  lines?: number;
  shape?: 'lines' | 'rows' | 'cards';
  /** The height of the content is not known: what is below is shown after it. */
  unsized?: true;
}

export function Skeleton({ lines = 3, shape = 'lines', unsized }: SkeletonProps) {
  const slow = useSlow();
  return (
    <div className={css[shape]} role="status" data-waiting={!slow || undefined} data-unsized={unsized}>
      <span className="visuallyHidden">{slow ? 'Loading' : ''}</span>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all items are alike
        <span key={at} className={css.bar} aria-hidden="true" />
      ))}
    </div>
  );
}

/** In place of the first screen while it takes longer than a moment to open. */
export function ScreenSkeleton() {
  return (
    <div className={css.screen}>
      <Skeleton lines={5} />
    </div>
  );
}
