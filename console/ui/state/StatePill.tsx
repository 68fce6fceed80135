import type { ReactNode } from 'react';
import css from './StatePill.module.css';

export type Tone = 'ok' | 'off' | 'never' | 'warn' | 'danger' | 'busy';

interface StatePillProps {
  tone: Tone;
  /** A state is never colour alone. */
  word: string;
  /** How long, or why. */
  detail?: ReactNode;
  /** `pill` beside a title; `lines` in a table, with the detail below the word. */
  shape?: 'pill' | 'lines' | 'plain';
}

export function StatePill({ tone, word, detail, shape = 'pill' }: StatePillProps) {
  return (
    <span className={css[shape]}>
      <Dot tone={tone} />
      <span className={css.word}>{word}</span>
      {detail && <span className={css.detail}>{detail}</span>}
    </span>
  );
}

export function Dot({ tone }: { tone: Tone }) {
  return <span aria-hidden="true" className={[css.dot, css[tone]].join(' ')} />;
}
