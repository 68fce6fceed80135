import { Link, type LinkProps } from '@tanstack/react-router';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { type DeviceState, deviceStates } from '#contract/device.ts';
import type { StateCounts } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';
import { stateWords, totalOf } from './deviceStates.ts';
import css from './StateBar.module.css';

interface StateBarProps {
  states: StateCounts;
  /** The list of the devices in a state. */
  linkTo: (state: DeviceState) => LinkProps;
  /** The state that the list below shows. */
  chosen?: DeviceState | undefined;
}

/** The devices of a fleet by state, as a bar whose parts link to them. */
export function StateBar({ states, linkTo, chosen }: StateBarProps) {
  const shown = deviceStates.filter(state => states[state] > 0);
  return (
    <nav className={css.bar} aria-label="Devices by state" data-some={chosen !== undefined || undefined}>
      {shown.map(state => (
        <Link
          key={state}
          {...linkTo(state)}
          className={css.part}
          data-state={state}
          data-chosen={state === chosen || undefined}
          style={{ flexGrow: states[state] }}
          title={saidOf(state, states)}
        >
          <span className="visuallyHidden">{saidOf(state, states)}</span>
        </Link>
      ))}
    </nav>
  );
}

/** The same in words and figures, for a dashboard. */
export function StateLegend({ states, linkTo }: StateBarProps) {
  return (
    <ul className={css.legend}>
      {deviceStates.map(state => (
        <li key={state}>
          <Link {...linkTo(state)}>
            <Dot tone={stateWords[state].tone} />
            {stateWords[state].label} <b>{numberText(states[state])}</b>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A small bar for a table row; the text beside it says the same. */
export function StateStripe({ states, isWide = false }: { states: StateCounts; isWide?: boolean }) {
  return (
    <span
      className={css.stripe}
      aria-hidden="true"
      data-none={totalOf(states) === 0 || undefined}
      data-wide={isWide || undefined}
    >
      {deviceStates
        .filter(state => states[state] > 0)
        .map(state => (
          <span key={state} className={css.part} data-state={state} style={{ flexGrow: states[state] }} />
        ))}
    </span>
  );
}

function saidOf(state: DeviceState, states: StateCounts): string {
  return `${stateWords[state].label}: ${numberText(states[state])}`;
}
