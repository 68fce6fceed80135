import { useId, useState } from 'react';
import { jsonFault } from '#console/ui/code/jsonText.ts';
import field from '#console/ui/form/Field.module.css';
import css from './schema.module.css';
import { isSchemaPart, propertiesOf, type SchemaProperty } from './schemaProperties.ts';
import { rangeText } from './schemaWords.ts';
import { ValueControl } from './ValueControl.tsx';
import { typedFault, typedJson, valueKind, valueText } from './valueText.ts';

interface SchemaFieldsProps {
  schema: unknown;
  /** A JSON object as text. */
  text: string;
  onChange: (text: string) => void;
  /** The server's faults by property name. */
  faults: ReadonlyMap<string, string>;
  /** True: faults are also shown at fields that have not been edited. */
  isSent: boolean;
  /** The first field takes the focus when the fields appear. */
  autoFocus?: boolean;
}

/** Whether a value of this schema can be edited in fields: an object with named properties. */
export function hasFields(schema: unknown): boolean {
  return fieldsOf(schema).length > 0;
}

/** The top-level properties; one that is itself an object is edited as JSON. */
function fieldsOf(schema: unknown): SchemaProperty[] {
  return propertiesOf(schema).filter(({ keys }) => keys.length === 1);
}

/** A form generated from a schema: a field for each property, suited to its type, with its range and unit. */
export function SchemaFields(props: SchemaFieldsProps) {
  const { schema, text, onChange, faults, isSent, autoFocus = false } = props;
  const fields = fieldsOf(schema);
  // The text as typed, which JSON does not preserve: "21." on the way to "21.5".
  const [typed, setTyped] = useState(() => typedFrom(fields, text));
  function set(name: string, value: string) {
    const next = { ...typed, [name]: value };
    setTyped(next);
    onChange(withFields(parsedObject(text), fields, next));
  }
  return fields.map((property, at) => (
    <OneField
      key={property.path}
      property={property}
      text={typed[property.path] ?? ''}
      fault={faults.get(property.path)}
      isSent={isSent}
      autoFocus={autoFocus && at === 0}
      onChange={value => set(property.path, value)}
    />
  ));
}

/** The fault of a field's content, if any. */
function fieldFault({ schema, isRequired }: SchemaProperty, text: string): string | undefined {
  if (text.trim() === '') return isRequired ? 'is required' : undefined;
  return typedFault(schema, text);
}

/** Whether the text is valid in every field. */
export function fieldsAgree(schema: unknown, text: string): boolean {
  if (text.trim() !== '' && jsonFault(text)) return false;
  const fields = fieldsOf(schema);
  const typed = typedFrom(fields, text);
  return fields.every(property => fieldFault(property, typed[property.path] ?? '') === undefined);
}

interface OneFieldProps {
  property: SchemaProperty;
  text: string;
  fault: string | undefined;
  isSent: boolean;
  autoFocus: boolean;
  onChange: (text: string) => void;
}

function OneField({ property, text, fault: ofServer, isSent, autoFocus, onChange }: OneFieldProps) {
  const id = useId();
  const [wasLeft, setWasLeft] = useState(false);
  const { path, title, schema, isRequired } = property;
  const own = wasLeft || isSent ? fieldFault(property, text) : undefined;
  const fault = own ?? ofServer;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches the focus leave the control inside
    <div className={field.field} onBlur={() => setWasLeft(true)}>
      <div className={field.head}>
        <label htmlFor={id}>
          <code className={css.name}>{path}</code>
          {title && <span className={css.title}>{title}</span>}
        </label>
        {!isRequired && <span className={field.aside}>optional</span>}
      </div>
      <span className={css.row}>
        <ValueControl
          id={id}
          {...{ schema, text, onChange, autoFocus }}
          isFaulty={fault !== undefined}
          describedBy={`${id}said`}
        />
        <span
          className={fault ? field.error : field.hint}
          id={`${id}said`}
          role={fault ? 'alert' : undefined}
        >
          {fault ? `${path} ${fault}` : valueKind(schema) !== 'choice' && rangeText(schema)}
        </span>
      </span>
    </div>
  );
}

function parsedObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isSchemaPart(value) ? value : {};
  } catch {
    return {};
  }
}

function typedFrom(fields: readonly SchemaProperty[], text: string): Record<string, string> {
  const value = parsedObject(text);
  return Object.fromEntries(
    fields.map(({ path, schema }) => [
      path,
      Object.hasOwn(value, path) ? valueText(schema, value[path]) : '',
    ]),
  );
}

/** The object as JSON with the typed values; an empty field leaves its property out. */
function withFields(
  before: Record<string, unknown>,
  fields: readonly SchemaProperty[],
  typed: Record<string, string>,
): string {
  const named = new Set(fields.map(({ path }) => path));
  const others = Object.entries(before).filter(([name]) => !named.has(name));
  const kept = others.map(([name, value]) => [name, JSON.stringify(value)] as const);
  const given = fields.flatMap(({ path, schema }) => {
    const text = typed[path] ?? '';
    return text.trim() === '' ? [] : [[path, typedJson(schema, text)] as const];
  });
  return `{${[...given, ...kept].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}
