import { isSchemaPart } from './schemaProperties.ts';

const depthMax = 6;

/**
 * The values that a schema itself states for the properties of an object: constants and defaults. Nothing else may be
 * filled into a form whose values go to a device, since an example would be sent as if someone had chosen it.
 */
export function statedValues(schema: unknown): Record<string, unknown> {
  const stated = statedBy(schema, 0);
  return isSchemaPart(stated) ? stated : {};
}

function statedBy(schema: unknown, depth: number): unknown {
  if (!isSchemaPart(schema) || depth > depthMax) return undefined;
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (!isSchemaPart(schema.properties)) return undefined;
  const properties = Object.entries(schema.properties).map(
    ([name, inner]) => [name, statedBy(inner, depth + 1)] as const,
  );
  const given = properties.filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
