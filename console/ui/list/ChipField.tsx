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
  /** The label of the empty choice once something is chosen; "Any channel" by default. */
  noneLabel?: string;
}

const none = '\u0000';

/** A select that looks like a chip: "Channel", and once chosen "Channel: beta". */
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

/** A text filter that looks like a chip; applied on Enter, or when the focus leaves. */
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
