import css from './Checkbox.module.css';

interface ToggleProps {
  /** What is switched, for screen readers. */
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
  busy?: boolean;
  /** The words beside it, on and off; null: none. */
  words?: readonly [on: string, off: string] | null;
}

/** A switch, labelled ENABLED or DISABLED by default as project options are. */
export function Toggle({ label, on, onChange, busy = false, words = ['ENABLED', 'DISABLED'] }: ToggleProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-disabled={busy || undefined}
      className={css.switch}
      onClick={() => {
        if (!busy) onChange(!on);
      }}
    >
      <span className={css.track} />
      {words?.[on ? 0 : 1]}
    </button>
  );
}
