import css from './pulse.module.css';

const kinds = [
  ['connected', 'Connected'],
  ['away', 'Disconnected'],
  ['taken', 'Taken over'],
  ['unrecorded', 'No record'],
] as const;

/** What the colours of the presence strips mean; each strip has a text alternative of its own for screen readers. */
export function PulseLegend() {
  return kinds.map(([kind, word]) => (
    <span key={kind} className={css.key} data-kind={kind} aria-hidden="true">
      {word}
    </span>
  ));
}
