import css from './Table.module.css';

/** A cell without a value; `said` is why, for those who do not see the dash. */
export function Dash({ said }: { said: string }) {
  return (
    <span className={css.dash} title={said}>
      <span aria-hidden="true">–</span>
      <span className="visuallyHidden">{said}</span>
    </span>
  );
}
