import type { ReactNode } from 'react';
import css from './FigureBand.module.css';

/** Four figures side by side; two by two on a small screen. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={css.figures}>{children}</dl>;
}

interface FigureProps {
  name: string;
  value: ReactNode;
  detail?: ReactNode;
}

export function Figure({ name, value, detail }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
        {detail && <span>{detail}</span>}
      </dd>
    </div>
  );
}
