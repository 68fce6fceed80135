import type { ReportedProperties } from '#contract/deviceState.ts';
import { isSchemaPart } from './schemaProperties.ts';

type Reported = ReportedProperties['properties'][number];

/** A first schema for what devices report: names and types; properties that every device reports are required. */
export function schemaFromReports({ devices, properties }: ReportedProperties): Record<string, unknown> {
  const required = properties.filter(one => one.devices === devices).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties.map(one => [one.name, { type: typeOf(one) }])),
  };
}

/** The reported properties that the schema does not name. */
export function unlistedIn(schema: unknown, { properties }: ReportedProperties): Reported[] {
  const named = isSchemaPart(schema) && isSchemaPart(schema.properties) ? schema.properties : {};
  return properties.filter(({ name }) => !Object.hasOwn(named, name));
}

/** The schema with these properties added to its own. */
export function withReported(schema: unknown, added: readonly Reported[]): Record<string, unknown> {
  const before = isSchemaPart(schema) ? schema : { type: 'object' };
  const named = isSchemaPart(before.properties) ? before.properties : {};
  const more = Object.fromEntries(added.map(one => [one.name, { type: typeOf(one) }]));
  return { ...before, properties: { ...named, ...more } };
}

function typeOf({ types }: Reported): string | string[] {
  return types.length === 1 ? (types[0] as string) : [...types];
}
