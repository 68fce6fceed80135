import css from './Checkbox.module.css';

interface ToggleProps {
  /** What is switched, for those who do not see it beside the switch. */
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
  busy?: boolean;
  /** What stands beside it, on and off; null: nothing. */
  words?: readonly [on: string, off: string] | null;
}

/** Project options toggle as ENABLED or DISABLED. */
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
