import { useEffect, useId, useState } from 'react';
import arrow from '#console/ui/Arrow.module.css';
import { isTooLong, TooLong } from '#console/ui/form/TooLong.tsx';
import css from './Chips.module.css';

interface ChipSelectProps {
  label: string;
  options: readonly { value: string; label: string }[];
  /** Undefined: none. */
  chosen: string | undefined;
  onChange: (chosen: string | undefined) => void;
  /** What choosing none is called once one is chosen; "Any channel", if not said otherwise. */
  noneLabel?: string;
}

const none = '\u0000';

/** One of many, in the place of a chip: "Channel", and once one is chosen "Channel: beta". */
export function ChipSelect({
  label,
  options,
  chosen,
  onChange,
  noneLabel = `Any ${label.toLowerCase()}`,
}: ChipSelectProps) {
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen);
  const all = isKnown ? options : [...options, { value: chosen, label: chosen }];
  return (
    <select
      className={`${css.field} ${css.select} ${arrow.arrow}`}
      aria-label={label}
      data-chosen={chosen !== undefined || undefined}
      value={chosen ?? none}
      onChange={({ target }) => onChange(target.value === none ? undefined : target.value)}
    >
      <option value={none}>{chosen === undefined ? label : noneLabel}</option>
      {all.map(option => (
        <option key={option.value} value={option.value}>
          {option.value === chosen ? `${label}: ${option.label}` : option.label}
        </option>
      ))}
    </select>
  );
}

const textMax = 64;

interface ChipTextProps {
  label: string;
  chosen: string | undefined;
  onChange: (chosen: string | undefined) => void;
}

/** A text to filter by in the place of a chip; taken at Enter, or when one goes on. */
export function ChipText({ label, chosen = '', onChange }: ChipTextProps) {
  const id = useId();
  const [typed, setTyped] = useState(chosen);
  const tooLong = isTooLong(typed, textMax);
  useEffect(() => setTyped(chosen), [chosen]);
  const take = () => {
    if (!tooLong && typed.trim() !== chosen) onChange(typed.trim() || undefined);
  };
  return (
    <>
      <input
        className={`${css.field} ${css.input}`}
        aria-label={label}
        aria-invalid={tooLong || undefined}
        aria-describedby={tooLong ? id : undefined}
        placeholder={label}
        data-chosen={chosen !== '' || undefined}
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={take}
        onKeyDown={({ key }) => {
          if (key === 'Enter') take();
          if (key === 'Escape') setTyped(chosen);
        }}
      />
      <TooLong id={id} value={typed} max={textMax} beside />
    </>
  );
}
