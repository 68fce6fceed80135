import { jsonFault } from '#console/ui/code/jsonText.ts';
import { schemaFault } from './schemaFault.ts';
import type { SchemaPart } from './schemaProperties.ts';

/** The control for editing a value. */
export type ValueKind = 'choice' | 'number' | 'text' | 'json';

export function valueKind(schema: SchemaPart): ValueKind {
  if (Array.isArray(schema.enum) || schema.type === 'boolean') return 'choice';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  return schema.type === 'string' ? 'text' : 'json';
}

/** The choices, each with the text that represents it and a label. */
export function choicesOf(schema: SchemaPart): { value: string; label: string }[] {
  const values: unknown[] = Array.isArray(schema.enum) ? schema.enum : [true, false];
  return values.map(value => ({
    value: JSON.stringify(value),
    label: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

/** A value as it is typed: text without quotes if the schema says it is text, otherwise JSON. */
export function valueText(schema: SchemaPart, value: unknown): string {
  if (value === undefined) return '';
  return valueKind(schema) === 'text' && typeof value === 'string' ? value : JSON.stringify(value);
}

/** The typed text as a value. Text that is not valid JSON counts as a string, in which the schema may find a fault. */
export function readValue(schema: SchemaPart, text: string): unknown {
  if (valueKind(schema) === 'text') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The typed text as JSON, character by character, as parsing a number could change its digits. */
export function typedJson(schema: SchemaPart, text: string): string {
  const isJson = valueKind(schema) !== 'text' && jsonFault(text) !== 'SYNTAX';
  return isJson ? text : JSON.stringify(text);
}

/** The fault of the typed text, as the second half of a sentence. */
export function typedFault(schema: SchemaPart, text: string): string | undefined {
  const fault = valueKind(schema) === 'text' ? undefined : jsonFault(text);
  if (fault === 'NUMBER_RANGE') return 'cannot be stored exactly';
  if (fault === 'DUPLICATE_KEY') return 'has a key twice';
  return schemaFault(schema, readValue(schema, text));
}
