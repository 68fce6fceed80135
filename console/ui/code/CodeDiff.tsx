import { lazy, Suspense } from 'react';
import css from '#console/ui/form/CodeField.module.css';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';

export interface CodeDiffProps {
  label: string;
  /** What it was. */
  before: string;
  /** What it is. */
  after: string;
}

const DiffView = lazy(() => import('#console/ui/editor/DiffView.tsx').then(it => ({ default: it.DiffView })));

/** What changed between two texts: lines that went and lines that came, the rest folded away. */
export function CodeDiff(props: CodeDiffProps) {
  return (
    <div className={css.diff}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <DiffView {...props} />
      </Suspense>
    </div>
  );
}
