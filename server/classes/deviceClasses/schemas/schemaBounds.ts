import { schemaPattern } from './schemaPatterns.ts';
import {
  type Child,
  childrenOf,
  dataIn,
  isPart,
  type Schema,
  SchemaMistake,
  thoroughIn,
} from './schemaTree.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';
export const schemaBytesMax = 64 * 1024;
const schemaDepthMax = 32;
/** The number of subschemas, with each reference counted as the schema it refers to. */
const schemaPartsMax = 5_000;
const tooManyParts = `A schema can have at most ${schemaPartsMax.toLocaleString('en')} parts, with each reference counted as the schema it refers to.`;
/** The reference points outside the schema, or to a place that can only be resolved during validation. */
const foreign = ['$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'];

/**
 * Upper bound of the validation cost: `once`, plus `each` for every value within and every hundred characters.
 */
export interface Weight {
  once: number;
  each: number;
}

interface Measured extends Weight {
  height: number;
  /** Whether `contains` is applied to the value itself, here or in a schema that applies to the same value. */
  contains: boolean;
}

/**
 * Rejects schemas that could be slow to validate against: recursive, multiplied by references, or nested too
 * deep. For any other schema, its weight is an upper bound of the cost.
 */
export function boundedWeight(root: Schema): Weight {
  const places = placesIn(root);
  const known = new Map<Schema, Measured>();
  const open = new Set<Schema>();

  function measure(schema: Schema, at: string): Measured {
    const seen = known.get(schema);
    if (seen) return seen;
    if (open.has(schema)) throw new SchemaMistake(at, 'A schema cannot refer to itself.');
    open.add(schema);
    const contains = isPart(schema) && 'contains' in schema;
    const sum: Measured = { once: 1 + dataIn(schema), each: thoroughIn(schema), height: 1, contains };
    let dearest = 0;
    for (const child of [...childrenOf(schema, at), ...referred(schema, at, places)]) {
      const inner = measure(child.schema, child.at);
      if (child.shelved) continue;
      sum.height = Math.max(sum.height, inner.height + 1);
      if (!child.each) sum.once += inner.once;
      if (!child.each && !child.apart) sum.contains ||= inner.contains;
      const each = child.each ? inner.once + inner.each : inner.each;
      // References inside sibling members are not nested.
      if (child.apart) dearest = Math.max(dearest, each);
      else sum.each += each;
      if (sum.height > schemaDepthMax)
        throw new SchemaMistake(at, `Schemas can be nested at most ${schemaDepthMax} levels deep.`);
      if (sum.once + sum.each + dearest > schemaPartsMax) throw new SchemaMistake(at, tooManyParts);
    }
    sum.each += dearest;
    // The validator knows how many items were evaluated, not which.
    if (sum.contains && isPart(schema) && 'unevaluatedItems' in schema)
      throw new SchemaMistake(`${at}/unevaluatedItems`, 'unevaluatedItems cannot be combined with contains.');
    open.delete(schema);
    if (typeof schema === 'object') known.set(schema, sum);
    return sum;
  }

  const { once, each } = measure(root, '');
  return { once, each };
}

/** Every subschema by its JSON pointer. */
function placesIn(root: Schema): Map<string, Schema> {
  const places = new Map<string, Schema>();
  const visit = (schema: Schema, at: string, depth: number) => {
    if (depth > schemaDepthMax)
      throw new SchemaMistake(at, `Schemas can be nested at most ${schemaDepthMax} levels deep.`);
    places.set(at, schema);
    if (isPart(schema)) checkKeywords(schema, at);
    for (const child of childrenOf(schema, at)) visit(child.schema, child.at, depth + 1);
  };
  visit(root, '', 1);
  return places;
}

function checkKeywords(schema: Record<string, unknown>, at: string): void {
  for (const keyword of foreign)
    if (keyword in schema)
      throw new SchemaMistake(`${at}/${keyword}`, `${keyword} is not supported. Use $ref and $defs.`);
  if (at !== '' && '$id' in schema)
    throw new SchemaMistake(`${at}/$id`, '$id is only allowed at the top level.');
  if ('nullable' in schema)
    throw new SchemaMistake(`${at}/nullable`, 'JSON Schema has no nullable. Add "null" to the types.');
  for (const keyword of ['properties', 'dependentSchemas', 'dependentRequired', 'dependencies'])
    if (isPart(schema[keyword]) && Object.hasOwn(schema[keyword], '__proto__'))
      throw new SchemaMistake(`${at}/${keyword}/__proto__`, '__proto__ cannot have a schema of its own.');
  const { $schema, pattern, patternProperties } = schema;
  if (typeof $schema === 'string' && $schema.replace(/#$/, '') !== dialect)
    throw new SchemaMistake(`${at}/$schema`, `Only JSON Schema 2020-12 is supported, not ${dialect}`);
  if (typeof pattern === 'string') checkPattern(pattern, `${at}/pattern`);
  if (isPart(patternProperties))
    for (const one of Object.keys(patternProperties)) checkPattern(one, `${at}/patternProperties`);
}

function checkPattern(pattern: string, at: string): void {
  try {
    schemaPattern(pattern);
  } catch (error) {
    throw new SchemaMistake(at, error instanceof Error ? error.message : String(error));
  }
}

/** Resolves a `$ref`. Nothing outside the schema is ever fetched. */
function referred(schema: Schema, at: string, places: Map<string, Schema>): Child[] {
  if (typeof schema === 'boolean' || typeof schema.$ref !== 'string') return [];
  const place = `${at}/$ref`;
  const pointer = /^#((?:\/.*)?)$/.exec(schema.$ref)?.[1];
  if (pointer === undefined)
    throw new SchemaMistake(place, 'A reference must point to a place in this schema: #/$defs/…');
  const target = places.get(decoded(pointer));
  if (target === undefined) throw new SchemaMistake(place, `There is no schema at ${schema.$ref}.`);
  return [{ schema: target, at: place, each: false, apart: false, shelved: false }];
}

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    // An invalid escape stands for itself.
    return pointer;
  }
}
