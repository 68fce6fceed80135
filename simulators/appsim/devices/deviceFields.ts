import { isSchemaPart, propertiesOf, type SchemaPart } from '#console/devices/schema/schemaProperties.ts';
import { unitOf } from '#console/devices/schema/schemaWords.ts';
import { nearestMultiple } from '#rules/state/multipleOf.ts';
import type { Json, JsonObject } from '#sdk/app.ts';

/** One property of a device, as the app shows it. */
export interface DeviceField {
  name: string;
  title: string;
  schema: SchemaPart;
  unit: string | undefined;
  /** The control that sets the property. */
  control: 'none' | 'switch' | 'choice' | 'number' | 'text';
  /** The value that the control shows: desired, or else reported. */
  shown: Json | undefined;
  reported: Json | undefined;
  /** True: set, but not reported yet. */
  isPending: boolean;
}

interface Known {
  reported: JsonObject;
  shown: JsonObject;
  delta: JsonObject;
}

/** The properties in the schema, then the other reported ones. Objects are shown as JSON. */
export function deviceFields(stateSchema: unknown, { reported, shown, delta }: Known): DeviceField[] {
  const named = propertiesOf(stateSchema).filter(({ keys }) => keys.length === 1);
  const names = new Set(named.map(({ path }) => path));
  const others = Object.keys(shown).filter(name => !names.has(name));
  const all = [
    ...named.map(({ path: name, title, schema }) => ({ name, title: title ?? worded(name), schema })),
    ...others.map(name => ({ name, title: worded(name), schema: schemaOf(shown[name]) })),
  ];
  return all.map(field => ({
    ...field,
    unit: unitOf(field.schema),
    control: controlOf(field.schema),
    shown: shown[field.name],
    reported: reported[field.name],
    isPending: Object.hasOwn(delta, field.name),
  }));
}

function controlOf(schema: SchemaPart): DeviceField['control'] {
  if (schema.readOnly === true || 'const' in schema) return 'none';
  if (Array.isArray(schema.enum)) return 'choice';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  return schema.type === 'string' ? 'text' : 'none';
}

/** Derives a schema from the value of a property that is not in the class schema. */
function schemaOf(value: Json | undefined): SchemaPart {
  const type = typeof value;
  if (type === 'object' || isSchemaPart(value)) return {};
  return { type };
}

/** Splits `report-every-s` and `reportEveryS` into words. */
function worded(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value as text, with its unit. */
export function fieldText({ unit, schema }: DeviceField, value: Json | undefined): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (typeof value === 'number') return `${figureText(value, schema)}${unit ? ` ${unit}` : ''}`;
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

function figureText(value: number, schema: SchemaPart): string {
  const digits = schema.type === 'integer' || Number.isInteger(value) ? 0 : 1;
  return value
    .toFixed(Math.abs(value) < 10 && digits ? 2 : digits)
    .replace(/(\.\d)0$/, '$1')
    .replace('-', '−');
}

/** One step up or down, within the range. */
export function stepped({ schema, shown, reported }: DeviceField, by: 1 | -1): number {
  const step =
    typeof schema.multipleOf === 'number' ? schema.multipleOf : schema.type === 'integer' ? 1 : 0.5;
  const number = (value: unknown, other: number) => (typeof value === 'number' ? value : other);
  const [least, most] = [number(schema.minimum, -Infinity), number(schema.maximum, Infinity)];
  const from = number(shown, number(reported, Number.isFinite(least) ? least : 0));
  const next = nearestMultiple((Math.round(from / step) + by) * step, step);
  return Math.min(most, Math.max(least, next));
}
