import type { SchemaPart } from './schemaProperties.ts';

const typeWords: Record<string, string> = { boolean: 'true or false', array: 'list', string: 'text' };

/** The type of a value in words: "number", "one of 3", "list of text". */
export function typeText(schema: SchemaPart): string {
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.length}`;
  if ('const' in schema) return 'fixed';
  const types = [schema.type].flat().filter(type => typeof type === 'string');
  if (types.length === 0) return 'properties' in schema ? 'object' : 'any';
  const items = schema.items as SchemaPart | undefined;
  const inner = types[0] === 'array' && items ? typeText(items) : 'any';
  if (types.length === 1 && inner !== 'any') return `list of ${inner}`;
  return types.map(type => typeWords[type] ?? type).join(' or ');
}

/** "5 to 30, in steps of 0.5", "off, heat, cool", "up to 20 characters"; nothing if anything is allowed. */
export function rangeText(schema: SchemaPart, unit?: string): string | undefined {
  if (Array.isArray(schema.enum)) return schema.enum.map(shortJson).join(', ');
  if ('const' in schema) return shortJson(schema.const);
  const within = bounds(schema);
  const parts = [
    unit && within ? `${within} ${unit}` : within,
    numberOf(schema.multipleOf) !== undefined && `in steps of ${schema.multipleOf}`,
    sized(numberOf(schema.minLength), numberOf(schema.maxLength), 'character'),
    sized(numberOf(schema.minItems), numberOf(schema.maxItems), 'item'),
    typeof schema.pattern === 'string' && `like ${schema.pattern}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** "0 to 100 %, in steps of 10", or the unit alone. */
export function rangeWithUnit(schema: SchemaPart): string | undefined {
  const unit = unitOf(schema);
  return rangeText(schema, unit) ?? unit;
}

/** JSON Schema has no keyword for units; `unit` is the annotation in common use by device makers. */
export function unitOf(schema: SchemaPart): string | undefined {
  return typeof schema.unit === 'string' && schema.unit ? schema.unit : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export const figure = (value: number) => withMinus(String(value));

/** With a real minus sign, as is usual beside units. */
export const withMinus = (text: string) => text.replace(/^-/, '−');

function bounds(schema: SchemaPart): string | undefined {
  const over = numberOf(schema.exclusiveMinimum);
  const under = numberOf(schema.exclusiveMaximum);
  const parts = [
    over !== undefined && `more than ${figure(over)}`,
    span(numberOf(schema.minimum), numberOf(schema.maximum)),
    under !== undefined && `less than ${figure(under)}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

function span(from: number | undefined, to: number | undefined): string | undefined {
  if (from !== undefined && to !== undefined) return `${figure(from)} to ${figure(to)}`;
  if (from !== undefined) return `${figure(from)} or more`;
  return to === undefined ? undefined : `up to ${figure(to)}`;
}

function sized(from: number | undefined, to: number | undefined, one: string): string | undefined {
  const text = span(from, to);
  return text && `${text} ${one}${to === 1 ? '' : 's'}`;
}

function shortJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
