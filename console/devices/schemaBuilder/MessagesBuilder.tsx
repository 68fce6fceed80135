import { useState } from 'react';
import { isSchemaPart } from '#console/devices/schema/schemaProperties.ts';
import { Button, IconButton } from '#console/ui/Button.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { SchemaBuilder } from './SchemaBuilder.tsx';
import css from './schemaBuilder.module.css';

interface MessagesBuilderProps {
  /** "event" or "command" */
  noun: string;
  schemas: unknown;
  onChange: (schemas: unknown) => void;
  disabled?: boolean;
}

/** The schemas of events or commands, one table for each by its name. */
export function MessagesBuilder({ noun, schemas, onChange, disabled = false }: MessagesBuilderProps) {
  const all = isSchemaPart(schemas) ? schemas : {};
  return (
    <>
      {Object.entries(all).map(([name, schema]) => (
        <section key={name} aria-label={name} className={css.message}>
          <header>
            <code>{name}</code>
            <IconButton
              label={`Remove ${name}`}
              disabled={disabled}
              onClick={() => {
                const { [name]: _, ...others } = all;
                onChange(others);
              }}
            >
              <CloseIcon size={14} />
            </IconButton>
          </header>
          <SchemaBuilder
            label={name}
            schema={schema}
            disabled={disabled}
            onChange={next => onChange({ ...all, [name]: next })}
          />
        </section>
      ))}
      <AddMessage
        noun={noun}
        taken={Object.keys(all)}
        disabled={disabled}
        onAdd={name => onChange({ ...all, [name]: { type: 'object', properties: {} } })}
      />
    </>
  );
}

interface AddMessageProps {
  noun: string;
  taken: readonly string[];
  disabled: boolean;
  onAdd: (name: string) => void;
}

function AddMessage({ noun, taken, disabled, onAdd }: AddMessageProps) {
  const [name, setName] = useState('');
  const isFree = eventNamePattern.test(name) && !taken.includes(name);
  function add() {
    if (!isFree) return;
    onAdd(name);
    setName('');
  }
  return (
    <div className={css.addMessage}>
      <input
        aria-label={`Name of the new ${noun}`}
        className={css.name}
        placeholder={noun === 'event' ? 'doorOpened' : 'blink'}
        maxLength={eventNameMax}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        value={name}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return;
          // Enter would save the whole form.
          event.preventDefault();
          add();
        }}
      />
      <Button variant="quiet" icon={<PlusIcon />} disabled={disabled || !isFree} onClick={add}>
        Add {noun}
      </Button>
    </div>
  );
}
