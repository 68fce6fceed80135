import { Dot, type Tone } from '#console/ui/state/StatePill.tsx';
import css from './Chips.module.css';

export interface Chip {
  value: string;
  label: string;
  tone?: Tone;
  count?: string;
}

interface ChipsProps {
  label: string;
  chips: readonly Chip[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Choosing one deselects the others. */
  single?: boolean;
}

export function Chips({ label, chips, chosen, onChange, single = false }: ChipsProps) {
  function press(value: string) {
    const without = chosen.filter(one => one !== value);
    if (without.length < chosen.length) onChange(without);
    else onChange(single ? [value] : [...chosen, value]);
  }
  return (
    <fieldset className={css.chips}>
      <legend className="visuallyHidden">{label}</legend>
      {chips.map(({ value, label: text, tone, count }) => (
        <button
          key={value}
          type="button"
          className={css.chip}
          aria-pressed={chosen.includes(value)}
          onClick={() => press(value)}
        >
          {tone && <Dot tone={tone} />}
          {text}
          {count !== undefined && <b>{count}</b>}
        </button>
      ))}
    </fieldset>
  );
}
