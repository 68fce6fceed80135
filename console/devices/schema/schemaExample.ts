import { nearestMultiple } from '#rules/state/multipleOf.ts';
import { isSchemaPart, type SchemaPart } from './schemaProperties.ts';
import { numberOf } from './schemaWords.ts';

const depthMax = 6;

/** A value that a schema allows, as a starting point: the schema's own example, or one from its range. */
export function schemaExample(schema: unknown, depth = 0): unknown {
  if (!isSchemaPart(schema) || depth > depthMax) return {};
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if ('default' in schema) return schema.default;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'number' || type === 'integer') return numberExample(schema, type === 'integer');
  if (type === 'boolean') return true;
  if (type === 'string') return 'a'.repeat(numberOf(schema.minLength) ?? 0);
  if (type === 'null') return null;
  if (type === 'array') return [];
  return objectExample(schema, depth);
}

/** In the middle of the range, on a multiple of the step. */
function numberExample(schema: SchemaPart, isWhole: boolean): number {
  const from = numberOf(schema.minimum) ?? numberOf(schema.exclusiveMinimum);
  const to = numberOf(schema.maximum) ?? numberOf(schema.exclusiveMaximum);
  if (from === undefined && to === undefined) return 1;
  const step = numberOf(schema.multipleOf) ?? (isWhole ? 1 : 0.5);
  const middle = from !== undefined && to !== undefined ? (from + to) / 2 : (from ?? to ?? 0);
  const stepped = nearestMultiple(middle, step);
  const isInside = stepped >= (from ?? stepped) && stepped <= (to ?? stepped);
  return isInside ? stepped : middle;
}

function objectExample(schema: SchemaPart, depth: number): Record<string, unknown> {
  if (!isSchemaPart(schema.properties)) return {};
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, inner]) => [name, schemaExample(inner, depth + 1)]),
  );
}
