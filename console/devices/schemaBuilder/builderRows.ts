import { isSchemaPart, type SchemaPart } from '#console/devices/schema/schemaProperties.ts';

export const builderTypes = ['number', 'integer', 'text', 'boolean', 'choice'] as const;
export type BuilderType = (typeof builderTypes)[number];

/** A property as the builder shows it. */
export interface BuilderRow {
  name: string;
  /** Absent: only JSON can say it, for the `reason`. */
  type?: BuilderType;
  title: string;
  unit: string;
  minimum: number | undefined;
  maximum: number | undefined;
  /** The values of a choice. */
  choices: readonly string[];
  isRequired: boolean;
  reason?: string;
}

const jsonTypes: Readonly<Record<BuilderType, string>> = {
  number: 'number',
  integer: 'integer',
  text: 'string',
  boolean: 'boolean',
  choice: 'string',
};

/** What a property can have beside its type without being anything else. */
const combining: Readonly<Record<string, string>> = {
  $ref: 'it refers to another schema',
  anyOf: 'it is one of several schemas',
  oneOf: 'it is one of several schemas',
  allOf: 'it combines schemas',
  not: 'it excludes a schema',
  if: 'it depends on a condition',
  const: 'it is a fixed value',
};

/** The properties of a schema as rows, or why it has none that a builder could show. */
export function readRows(schema: unknown): BuilderRow[] | { reason: string } {
  if (!isSchemaPart(schema)) return { reason: 'This schema is no object.' };
  if (schema.type !== undefined && schema.type !== 'object')
    return { reason: 'This schema describes something else than an object.' };
  const { properties = {} } = schema;
  if (!isSchemaPart(properties)) return { reason: 'Its properties are no object.' };
  return Object.entries(properties).map(([name, property]) =>
    readRow(name, property, isRequired(schema, name)),
  );
}

function readRow(name: string, property: unknown, required: boolean): BuilderRow {
  const part = isSchemaPart(property) ? property : {};
  const row: BuilderRow = {
    name,
    title: textOf(part.title),
    unit: textOf(part.unit),
    minimum: numberOf(part.minimum),
    maximum: numberOf(part.maximum),
    choices: isTexts(part.enum) ? part.enum : [],
    isRequired: required,
  };
  const reason = reasonOf(property, part);
  return reason === undefined ? { ...row, type: typeOf(part) } : { ...row, reason };
}

function reasonOf(property: unknown, part: SchemaPart): string | undefined {
  if (!isSchemaPart(property)) return property === true ? 'it can be anything' : 'it is never allowed';
  const combined = Object.keys(combining).find(key => key in part);
  if (combined) return combining[combined];
  if ('enum' in part)
    return isTexts(part.enum) && isOneOf(part.type, [undefined, 'string'])
      ? unlistedReason(part.enum)
      : 'its values are not texts';
  if (part.type === 'object' || 'properties' in part) return 'it has properties of its own';
  if (part.type === 'array' || 'items' in part) return 'it is a list';
  if (Array.isArray(part.type)) return 'it has several types';
  if (part.type === undefined) return 'it names no type';
  return isOneOf(part.type, ['number', 'integer', 'string', 'boolean']) ? undefined : 'it is of another type';
}

/** Values that the field of the builder could not read back would be lost by the next change. */
const unlistedReason = (choices: readonly string[]): string | undefined =>
  JSON.stringify(readChoices(choicesText(choices))) === JSON.stringify(choices)
    ? undefined
    : 'commas cannot separate its values';

/** "off, heat, cool" */
export const choicesText = (choices: readonly string[]): string => choices.join(', ');

/** The values of a choice, each once. */
export const readChoices = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map(one => one.trim())
      .filter(Boolean),
  ),
];

const typeOf = ({ type, enum: choices }: SchemaPart): BuilderType =>
  choices !== undefined ? 'choice' : (builderTypes.find(one => jsonTypes[one] === type) ?? 'text');

/** Changes one property and leaves everything else in the schema as it is. */
export function withRow(schema: unknown, name: string, change: Partial<BuilderRow>): SchemaPart {
  const whole = isSchemaPart(schema) ? schema : { type: 'object' };
  const properties = isSchemaPart(whole.properties) ? whole.properties : {};
  const next = change.name ?? name;
  const entries = Object.entries(properties).map(([one, property]) =>
    one === name ? [next, isSchemaPart(property) ? withChange(property, change) : property] : [one, property],
  );
  const required = requiredOf(whole).map(one => (one === name ? next : one));
  return withRequired(
    { ...whole, properties: Object.fromEntries(entries) },
    required,
    next,
    change.isRequired,
  );
}

/** Adds a number at the end. */
export function withNewRow(schema: unknown): SchemaPart {
  const whole = isSchemaPart(schema) ? schema : { type: 'object' };
  const properties = isSchemaPart(whole.properties) ? whole.properties : {};
  return { ...whole, properties: { ...properties, [freeName(properties)]: { type: 'number' } } };
}

export function withoutRow(schema: unknown, name: string): SchemaPart {
  const whole = isSchemaPart(schema) ? schema : {};
  const { [name]: _, ...properties } = isSchemaPart(whole.properties) ? whole.properties : {};
  return withRequired({ ...whole, properties }, requiredOf(whole), name, false);
}

function freeName(properties: SchemaPart): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'property' : `property${n}`;
    if (!Object.hasOwn(properties, name)) return name;
  }
}

function withChange(
  property: SchemaPart,
  { name: _, isRequired: __, reason: ___, type, choices, ...texts }: Partial<BuilderRow>,
): SchemaPart {
  const typed = type === undefined || type === typeOf(property) ? property : withType(property, type);
  const chosen =
    choices === undefined || typeOf(typed) !== 'choice' ? typed : { ...typed, enum: [...choices] };
  const entries = Object.entries({ ...chosen, ...texts });
  return Object.fromEntries(entries.filter(([key, value]) => !isEmptied(key, value, texts)));
}

/** A text that was emptied, or a bound that was removed. */
const isEmptied = (key: string, value: unknown, changed: object) =>
  Object.hasOwn(changed, key) && (value === '' || value === undefined);

/** Removes what another type does not have. */
function withType(property: SchemaPart, type: BuilderType): SchemaPart {
  const { enum: choices, ...rest } = property;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, unit, ...plain } = rest;
  const { minLength, maxLength, pattern, format, ...kept } = plain;
  const isNumber = type === 'number' || type === 'integer';
  const numbers = defined({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, unit });
  const texts = defined({ minLength, maxLength, pattern, format });
  if (type === 'choice') return { ...kept, type: 'string', enum: isTexts(choices) ? choices : [] };
  return { ...kept, ...(isNumber ? numbers : {}), ...(type === 'text' ? texts : {}), type: jsonTypes[type] };
}

const defined = (values: SchemaPart): SchemaPart =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const requiredOf = ({ required }: SchemaPart): string[] =>
  Array.isArray(required) ? required.filter(one => typeof one === 'string') : [];
const isRequired = (schema: SchemaPart, name: string) => requiredOf(schema).includes(name);

function withRequired(
  schema: SchemaPart,
  names: readonly string[],
  name: string,
  isWanted: boolean | undefined,
): SchemaPart {
  const isSame = isWanted === undefined || isWanted === names.includes(name);
  const wanted = isSame ? names : isWanted ? [...names, name] : names.filter(one => one !== name);
  const { required: before, ...rest } = schema;
  if (wanted.length > 0) return { ...schema, required: wanted };
  return before === undefined || names.length === 0 ? schema : rest;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string');
const isOneOf = (value: unknown, all: readonly unknown[]) => all.includes(value);
