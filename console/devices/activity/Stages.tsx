import type { ReactNode } from 'react';
import css from './activity.module.css';

interface StagesProps {
  passed: readonly string[];
  stage: string;
  /** From creation until this stage was reached; undefined: the stage has no time, or its time says nothing. */
  tookMs: number | undefined;
  children?: ReactNode;
}

/** The stages passed, with the current one in bold: "queued — sent — acknowledged 41 ms". */
export function Stages({ passed, stage, tookMs, children }: StagesProps) {
  return (
    <span className={css.stages}>
      {passed.map(one => (
        <span key={one} className={css.passed}>
          {one}
        </span>
      ))}
      <span className={css.reached} data-stage={stage}>
        {stage}
        {tookMs !== undefined && tookMs < 10_000 && ` ${Math.max(0, tookMs)} ms`}
        {children}
      </span>
    </span>
  );
}
