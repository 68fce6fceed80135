import css from './pulse.module.css';

const kinds = [
  ['connected', 'Connected'],
  ['away', 'Disconnected'],
  ['taken', 'Taken over'],
  ['unrecorded', 'No record'],
] as const;

/** What the colours of the presence strips mean; the strips say it themselves to those who do not see them. */
export function PulseLegend() {
  return kinds.map(([kind, word]) => (
    <span key={kind} className={css.key} data-kind={kind} aria-hidden="true">
      {word}
    </span>
  ));
}
