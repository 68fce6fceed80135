import { lazy } from 'react';
import css from '#console/ui/editor/TextChanges.module.css';
import { LazyPiece } from '#console/ui/lazy/LazyPiece.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';

export interface TextChange {
  label: string;
  before: string;
  after: string;
}

interface TextChangesProps {
  texts: readonly TextChange[];
  /** Shown if nothing differs. */
  none: string;
}

const DiffView = lazy(() => import('#console/ui/editor/DiffView.tsx').then(it => ({ default: it.DiffView })));

/** The changes in some texts, one below the other: removed and added lines, with unchanged ones folded. */
export function TextChanges({ texts, none }: TextChangesProps) {
  const changed = texts.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return <p className={css.none}>{none}</p>;
  return (
    <LazyPiece waiting={<Skeleton lines={6} />}>
      <div className={css.changes}>
        {changed.map(({ label, before, after }) => (
          <section key={label} aria-label={`${label}: changes`}>
            <h3>{label}</h3>
            <div className={css.diff}>
              <DiffView label={`${label}: changes`} before={before} after={after} />
            </div>
          </section>
        ))}
      </div>
    </LazyPiece>
  );
}
