import { useLayoutEffect, useRef } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { BuilderRowFields } from './BuilderRowFields.tsx';
import { readRows, withNewRow, withoutRow, withRow } from './builderRows.ts';
import css from './schemaBuilder.module.css';

interface SchemaBuilderProps {
  /** "State schema" */
  label: string;
  schema: unknown;
  onChange: (schema: unknown) => void;
  /** The schema has errors that are mended in the JSON first. */
  disabled?: boolean;
}

/** The properties of a schema as a table to fill in; what it cannot show stays as it is in the JSON. */
export function SchemaBuilder({ label, schema, onChange, disabled = false }: SchemaBuilderProps) {
  const keys = useRowKeys();
  const { builder, focusAdded } = useAdded();
  const rows = readRows(schema);
  if ('reason' in rows) return <p className={css.none}>{rows.reason} It is edited as JSON.</p>;
  const names = rows.map(({ name }) => name);
  return (
    <fieldset ref={builder} className={css.builder} disabled={disabled}>
      <legend className="visuallyHidden">{label}, property by property</legend>
      {rows.length > 0 && (
        <div className={css.head} aria-hidden="true">
          <span>Property</span>
          <span>Type</span>
          <span>Range</span>
          <span>Unit</span>
          <span>Required</span>
        </div>
      )}
      <ol>
        {rows.map((row, at) => (
          <BuilderRowFields
            key={keys.of(row.name)}
            row={row}
            others={names.toSpliced(at, 1)}
            onChange={change => {
              if (change.name !== undefined) keys.rename(row.name, change.name);
              onChange(withRow(schema, row.name, change));
            }}
            onRemove={() => onChange(withoutRow(schema, row.name))}
          />
        ))}
      </ol>
      <div className={css.add}>
        <Button
          variant="quiet"
          icon={<PlusIcon />}
          onClick={() => {
            onChange(withNewRow(schema));
            focusAdded();
          }}
        >
          Add property
        </Button>
      </div>
    </fieldset>
  );
}

/**
 * A row stays the same while its property is renamed, wherever it then stands: names that are whole numbers are first in
 * every object.
 */
function useRowKeys() {
  const keys = useRef(new Map<string, number>());
  const last = useRef(0);
  const of = (name: string): number => {
    const key = keys.current.get(name) ?? ++last.current;
    keys.current.set(name, key);
    return key;
  };
  return {
    of,
    rename(from: string, to: string): void {
      const key = of(from);
      keys.current.delete(from);
      keys.current.set(to, key);
    },
  };
}

/** The focus goes to the name of a new property together with its row: a later one would lose what is typed at once. */
function useAdded() {
  const builder = useRef<HTMLFieldSetElement>(null);
  const isAdded = useRef(false);
  useLayoutEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    const last = [...(builder.current?.querySelectorAll<HTMLInputElement>('[data-name]') ?? [])].at(-1);
    last?.focus();
    last?.select();
  });
  return {
    builder,
    focusAdded() {
      isAdded.current = true;
    },
  };
}
