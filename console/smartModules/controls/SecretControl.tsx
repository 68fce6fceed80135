import { useState } from 'react';
import { useConfig, useConfigField } from '#console/smartModules/config/ConfigContext.ts';
import { pointerOf } from '#console/smartModules/config/pointers.ts';
import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import css from './controls.module.css';

/** A secret is never read back: it is set, or it is replaced. */
export function SecretControl({ schema, path, label, required }: ControlProps) {
  const { secrets, moduleId } = useConfig();
  const { value, set, fault, touch } = useConfigField(path);
  const ending = secrets[pointerOf(path)];
  const [replacing, setReplacing] = useState(false);
  if (ending !== undefined && !replacing && fault === undefined)
    return (
      <div className={css.secret}>
        <span className={css.label}>{label}</span>
        <span>
          <code>Set, {ending}</code>
          <Button
            variant="quiet"
            aria-label={`Replace ${label.toLowerCase()}`}
            onClick={() => setReplacing(true)}
          >
            Replace
          </Button>
        </span>
        {schema.description && <p className={css.hint}>{schema.description}</p>}
      </div>
    );
  const stop = () => {
    set(undefined);
    setReplacing(false);
  };
  return (
    <TextField
      label={required ? label : `${label} (optional)`}
      hint={
        <>
          {schema.description}{' '}
          {moduleId !== undefined && ending !== undefined && 'Leave it empty to keep the current one.'}
        </>
      }
      fault={fault}
      type="password"
      autoComplete="new-password"
      mono
      autoFocus={replacing}
      placeholder={schema.ui?.placeholder}
      value={typeof value === 'string' ? value : ''}
      onChange={text => set(text === '' ? undefined : text)}
      onBlur={touch}
      aside={
        replacing && (
          <Button variant="quiet" onClick={stop}>
            Keep the current one
          </Button>
        )
      }
    />
  );
}
