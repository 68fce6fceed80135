import { useEffect, useRef } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { excerpt } from '#console/ui/code/differences.ts';
import { reasons } from '#contract/problem.ts';
import css from './StaleNotice.module.css';
import type { Stale } from './useEdit.ts';

/** What someone else changed while this form was open, beside the typed values, with the choice of which to keep. */
export function StaleNotice({ stale, saving }: { stale: Stale; saving: boolean }) {
  const { differences, refusals, saveMine, takeTheirs } = stale;
  const isConflict = differences.some(({ yours }) => yours !== undefined);
  const notice = useRef<HTMLElement>(null);
  useEffect(() => {
    if (refusals > 0) notice.current?.focus();
  }, [refusals]);
  return (
    <section
      ref={notice}
      tabIndex={-1}
      className={css.notice}
      role="alert"
      aria-label="Changed by someone else"
    >
      <p>
        {reasons.STALE[1]} <code>STALE</code>
      </p>
      <dl className={css.differences}>
        {differences.map(({ label, theirs, yours }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span>Their version</span>
              <q>{excerpt(theirs, yours)}</q>
            </dd>
            <dd>
              <span>Your version</span>
              {yours === undefined ? <i>unchanged, theirs is kept</i> : <q>{excerpt(yours, theirs)}</q>}
            </dd>
          </div>
        ))}
      </dl>
      <div className={css.ways}>
        <Button onClick={saveMine} busy={saving}>
          {isConflict ? 'Overwrite with yours' : 'Save both'}
        </Button>
        <Button onClick={takeTheirs}>Keep theirs</Button>
      </div>
    </section>
  );
}
