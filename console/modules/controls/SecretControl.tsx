import { useState } from 'react';
import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { pointerOf } from '#console/modules/config/pointers.ts';
import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import css from './controls.module.css';

/** A secret is never read back: it is set, replaced, or, if optional, removed. */
export function SecretControl({ schema, path, label, required }: ControlProps) {
  const { secrets, moduleId } = useConfig();
  const { value, set, fault, touch } = useConfigField(path);
  const ending = secrets[pointerOf(path)];
  const [replacing, setReplacing] = useState(false);
  const press = (verb: string, run: () => void) => (
    <Button variant="quiet" aria-label={`${verb} ${label.toLowerCase()}`} onClick={run}>
      {verb}
    </Button>
  );
  const remove = !required && ending !== undefined && press('Remove', () => set(null));
  if (ending !== undefined && !replacing && (value === null || fault === undefined))
    return (
      <div className={css.secret}>
        <span className={css.label}>{label}</span>
        {value === null ? (
          <span>Removed when you save {press('Keep', () => set(undefined))}</span>
        ) : (
          <span>
            <code>Set, {ending}</code>
            {press('Replace', () => setReplacing(true))}
            {remove}
          </span>
        )}
        {schema.description && <p className={css.hint}>{schema.description}</p>}
      </div>
    );
  const mayStay = moduleId !== undefined && ending !== undefined;
  const stop = () => {
    set(undefined);
    setReplacing(false);
  };
  return (
    <TextField
      label={required ? label : `${label} (optional)`}
      hint={[schema.description, mayStay && 'Leave it empty to keep the current one.']
        .filter(Boolean)
        .join(' ')}
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
        replacing ? (
          <Button variant="quiet" onClick={stop}>
            Keep the current one
          </Button>
        ) : (
          remove
        )
      }
    />
  );
}
