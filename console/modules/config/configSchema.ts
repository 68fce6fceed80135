import { readableName } from '#console/ui/fields/readableName.ts';
import type { ConfigUi } from '#contract/moduleConfig.ts';

export type Json = Record<string, unknown>;

/** The part of JSON Schema that the server uses to describe configurations. */
export interface Schema {
  type?: string | readonly string[];
  title?: string;
  description?: string;
  ui?: ConfigUi;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  $ref?: string;
  $defs?: Readonly<Record<string, Schema>>;
}

/** A union of objects, discriminated by one property. */
export interface Kinds {
  property: string;
  kinds: readonly { value: string; label: string; schema: Schema }[];
}

/** The schema with references resolved and "or null" removed, as a form treats null as absent. */
export function resolved(schema: Schema, defs: Schema['$defs'] = {}): Schema {
  const name = schema.$ref?.replace(/^#\/\$defs\//, '');
  const followed = name === undefined ? schema : { ...defs[name], ...withoutRef(schema) };
  const options = optionsOf(followed)?.filter(option => option.type !== 'null');
  if (options?.length !== 1) return followed;
  const { anyOf: _, oneOf: __, ...outer } = followed;
  return { ...resolved(options[0] ?? {}, defs), ...outer };
}

const withoutRef = ({ $ref: _, ...rest }: Schema): Schema => rest;
const optionsOf = ({ anyOf, oneOf }: Schema) => oneOf ?? anyOf;

export function kindsOf(schema: Schema, defs?: Schema['$defs']): Kinds | undefined {
  const options = optionsOf(schema)?.map(option => resolved(option, defs));
  const [first] = options ?? [];
  const property = Object.entries(first?.properties ?? {}).find(
    ([, { const: value }]) => value !== undefined,
  )?.[0];
  if (!options || property === undefined) return undefined;
  const labels = schema.ui?.labels ?? first?.properties?.[property]?.ui?.labels ?? {};
  const kinds = options.flatMap(option => {
    const value = option.properties?.[property]?.const;
    if (typeof value !== 'string') return [];
    return [{ value, label: labels[value] ?? option.title ?? readableName(value), schema: option }];
  });
  return kinds.length === options.length ? { property, kinds } : undefined;
}

/** The choices of an enum, or of a union of constants. */
export function choicesOf(schema: Schema): { value: string | number; label: string }[] | undefined {
  const values = schema.enum ?? optionsOf(schema)?.map(option => option.const);
  if (!values?.every(value => typeof value === 'string' || typeof value === 'number')) return undefined;
  return (values as (string | number)[]).map(value => ({
    value,
    label:
      schema.ui?.labels?.[String(value)] ?? (typeof value === 'string' ? readableName(value) : String(value)),
  }));
}

export const typeOf = ({ type, properties, items }: Schema): string | undefined =>
  typeof type === 'string'
    ? type
    : (type?.find(one => one !== 'null') ?? (properties ? 'object' : items && 'array'));

export const titleOf = (schema: Schema, name: string) => schema.title ?? readableName(name);

/** The initial value of a form: the defaults, and empty values for required properties. */
export function initialOf(given: Schema, defs: Schema['$defs'] = given.$defs): unknown {
  const schema = resolved(given, defs);
  if (schema.default !== undefined) return structuredClone(schema.default);
  if (schema.const !== undefined) return schema.const;
  if (schema.ui?.control === 'secret') return undefined;
  if (schema.ui?.control === 'json') return {};
  const [firstKind] = kindsOf(schema, defs)?.kinds ?? [];
  if (firstKind) return initialOf(firstKind.schema, defs);
  const [firstChoice] = choicesOf(schema) ?? [];
  if (firstChoice && schema.ui?.control !== 'text') return firstChoice.value;
  const type = typeOf(schema);
  if (type === 'object') return initialObject(schema, defs);
  if (type === 'array')
    return (schema.minItems ?? 0) > 0 && kindsIn(schema, defs) ? [initialOf(schema.items ?? {}, defs)] : [];
  if (type === 'boolean') return false;
  return type === 'string' ? '' : undefined;
}

const kindsIn = ({ items }: Schema, defs: Schema['$defs']) =>
  items && typeOf(resolved(items, defs)) === 'object';

function initialObject({ properties = {}, required = [] }: Schema, defs: Schema['$defs']): Json {
  const entries = Object.entries(properties)
    .filter(([name, property]) => required.includes(name) || property.default !== undefined)
    .map(([name, property]) => [name, initialOf(property, defs)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** A value completed with the defaults of properties that it leaves out. */
export function withDefaults(given: Schema, value: unknown, defs: Schema['$defs'] = given.$defs): unknown {
  const schema = resolved(given, defs);
  if (Array.isArray(value)) return value.map(item => withDefaults(schema.items ?? {}, item, defs));
  if (!isObject(value)) return value;
  const kinds = kindsOf(schema, defs);
  const kind = kinds?.kinds.find(one => one.value === value[kinds.property]);
  if (kind) return withDefaults(kind.schema, value, defs);
  const properties = Object.entries(schema.properties ?? {});
  const filled = properties.map(([name, property]) => [
    name,
    value[name] === undefined ? property.default : withDefaults(property, value[name], defs),
  ]);
  return { ...value, ...Object.fromEntries(filled.filter(([, one]) => one !== undefined)) };
}

/** The value to send: without optional properties that are empty, and without properties that are not shown. */
export function pruned(given: Schema, value: unknown, defs: Schema['$defs'] = given.$defs): unknown {
  const schema = resolved(given, defs);
  if (Array.isArray(value)) return value.map(item => pruned(schema.items ?? {}, item, defs));
  if (!isObject(value)) return value;
  const kinds = kindsOf(schema, defs);
  const kind = kinds?.kinds.find(one => one.value === value[kinds.property]);
  if (kind) return pruned(kind.schema, value, defs);
  const { properties, required = [] } = schema;
  if (!properties) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const property = properties[name];
    if (!property) return [[name, inner]];
    if (!isShown(property, value)) return required.includes(name) ? [[name, inner]] : [];
    const sent = pruned(property, inner, defs);
    // Leaving a secret out keeps it; null removes it.
    const isRemoved = sent === null && property.ui?.control === 'secret';
    return isEmpty(sent) && !isRemoved && !required.includes(name) ? [] : [[name, sent]];
  });
  return Object.fromEntries(entries);
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a property is shown in the form, given the values beside it. */
export function isShown({ ui }: Schema, beside: Json): boolean {
  if (ui?.control === 'hidden') return false;
  if (!ui?.when) return true;
  const { property, is } = ui.when;
  return is.includes(beside[property] as string | boolean);
}
