import { useId, useState } from 'react';
import arrow from '#console/ui/Arrow.module.css';
import fieldCss from '#console/ui/form/Field.module.css';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { Choice } from './bundleDraft.ts';
import css from './bundles.module.css';

interface ChooseVersionsProps {
  choices: readonly Choice[];
  value: Readonly<Record<string, string>>;
  onChange: (value: Readonly<Record<string, string>>) => void;
  error: string | undefined;
}

/** From this number on, a filter is easier than scrolling. */
const manyMin = 9;

/** One version of each component, or none. */
export function ChooseVersions({ choices, value, onChange, error }: ChooseVersionsProps) {
  const id = useId();
  const [filter, setFilter] = useState('');
  const shown = choices.filter(({ component }) =>
    component.name.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  const count = Object.values(value).filter(Boolean).length;
  return (
    <fieldset className={css.versionsField} aria-describedby={error ? `${id}error` : undefined}>
      <legend>
        Components <span className={css.quiet}>{count > 0 && `${count} chosen`}</span>
      </legend>
      {choices.length >= manyMin && (
        <TextField label="Filter components" value={filter} onChange={setFilter} autoComplete="off" />
      )}
      <div className={css.choices}>
        {shown.map(({ component, versions }, at) => (
          <div key={component.id} className={css.choice}>
            <label htmlFor={id + component.id}>{component.name}</label>
            <select
              id={id + component.id}
              className={`${fieldCss.control} ${arrow.arrow}`}
              aria-invalid={(error !== undefined && at === 0) || undefined}
              value={value[component.id] ?? ''}
              onChange={({ target }) => onChange({ ...value, [component.id]: target.value })}
            >
              <option value="">Not in the bundle</option>
              {versions.map(version => (
                <option key={version.id} value={version.id}>
                  {version.name}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
      {error && (
        <p id={`${id}error`} className={css.fault} role="alert">
          Choose a version of at least one component.
        </p>
      )}
    </fieldset>
  );
}
