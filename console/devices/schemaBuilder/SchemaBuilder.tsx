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
  const rows = readRows(schema);
  if ('reason' in rows) return <p className={css.none}>{rows.reason} It is edited as JSON.</p>;
  const names = rows.map(({ name }) => name);
  return (
    <fieldset className={css.builder} disabled={disabled}>
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
            // biome-ignore lint/suspicious/noArrayIndexKey: a property keeps its place while it is renamed
            key={at}
            row={row}
            others={names.toSpliced(at, 1)}
            onChange={change => onChange(withRow(schema, row.name, change))}
            onRemove={() => onChange(withoutRow(schema, row.name))}
          />
        ))}
      </ol>
      <div className={css.add}>
        <Button
          variant="quiet"
          icon={<PlusIcon />}
          onClick={({ currentTarget }) => {
            onChange(withNewRow(schema));
            focusLast(currentTarget);
          }}
        >
          Add property
        </Button>
      </div>
    </fieldset>
  );
}

/** The name of the new property, once it is there. */
function focusLast(button: HTMLElement): void {
  const builder = button.closest('fieldset');
  requestAnimationFrame(() => {
    const last = [...(builder?.querySelectorAll<HTMLInputElement>('[data-name]') ?? [])].at(-1);
    last?.focus();
    last?.select();
  });
}
