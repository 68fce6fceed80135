import type { DeviceFigures } from '#contract/stats.ts';
import css from './deviceClasses.module.css';

const states = ['connected', 'disconnected', 'never', 'suspended'] as const;

/** The devices of a class by state, as one bar; the figures under it say the same. */
export function StateBar({ figures }: { figures: DeviceFigures }) {
  const shown = states.filter(state => figures[state] > 0);
  return (
    <div className={css.stateBar} aria-hidden="true">
      {shown.map(state => (
        <span key={state} data-state={state} style={{ flexGrow: figures[state] }} />
      ))}
    </div>
  );
}
