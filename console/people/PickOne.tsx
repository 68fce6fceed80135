import { type ReactNode, useEffect, useId, useState } from 'react';
import { TextField } from '#console/ui/form/TextField.tsx';
import { isTooLong } from '#console/ui/form/TooLong.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { CallFailed } from '#contract/client.ts';
import { searchMax } from '#contract/paging.ts';
import css from './people.module.css';

export interface Pick {
  value: string;
  label: string;
  /** Shown below the label in a quiet colour. */
  detail?: string;
  icon?: ReactNode;
}

interface PickOneProps {
  label: string;
  hint?: ReactNode;
  placeholder: string;
  /** The results for the typed text. */
  found: readonly Pick[] | undefined;
  failed?: CallFailed | null;
  /** Shown if nothing is found. */
  none: string;
  onSearch: (typed: string) => void;
  value: string;
  onChange: (value: string) => void;
  /** A reason code. */
  error?: string | undefined;
}

const searchAfterMs = 250;

/** A choice of one among many: typing narrows a short list. */
export function PickOne({ label, hint, placeholder, found, failed, none, onSearch, ...field }: PickOneProps) {
  const { value, onChange, error } = field;
  const name = useId();
  const [typed, setTyped] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function does the same in every render
  useEffect(() => {
    if (isTooLong(typed, searchMax)) return;
    const timer = setTimeout(() => onSearch(typed.trim()), searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div className={css.pick}>
      <TextField
        label={label}
        hint={hint}
        error={error}
        type="search"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        placeholder={placeholder}
        maxLength={searchMax}
        value={typed}
        onChange={setTyped}
        // Enter chooses the first result; the form is sent only once one is chosen.
        onKeyDown={event => {
          const [first] = found ?? [];
          if (event.key !== 'Enter' || value || !first) return;
          event.preventDefault();
          onChange(first.value);
        }}
      />
      <FormError error={failed} />
      <fieldset className={css.picks} aria-busy={found === undefined || undefined}>
        <legend className="visuallyHidden">{label}</legend>
        {found?.map(one => (
          <label key={one.value} className={css.onePick}>
            <input
              type="radio"
              name={name}
              checked={one.value === value}
              onChange={() => onChange(one.value)}
            />
            {one.icon}
            <span dir="auto">{one.label}</span>
            {one.detail && <small dir="auto">{one.detail}</small>}
          </label>
        ))}
        {found?.length === 0 && <p className={css.quiet}>{none}</p>}
      </fieldset>
    </div>
  );
}
