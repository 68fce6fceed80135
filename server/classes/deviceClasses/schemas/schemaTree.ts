/** An error in a schema, and its position. */
export class SchemaMistake extends Error {
  readonly at: string;

  constructor(at: string, text: string) {
    super(text);
    this.at = at;
  }
}

type Part = Record<string, unknown>;
export type Schema = boolean | Part;

export interface Child {
  schema: Schema;
  at: string;
  /** True: applied to every item or member, not to one place. */
  each: boolean;
  /** True: no other subschema of the same keyword is applied to the same place. */
  apart: boolean;
  /** True: only a definition, applied through references. */
  shelved: boolean;
}

/** Keywords that contain one subschema, a list, or a map of them. */
const single = ['items', 'contains', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'];
const singleElse = ['propertyNames', 'not', 'if', 'then', 'else'];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const maps = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'];
const ofPlace = new Set(['properties', 'prefixItems']);
const ofEach = new Set([...single, 'propertyNames', 'patternProperties']);
const shelves = new Set(['$defs', 'definitions']);
const schemaKeywords = new Set([...single, ...singleElse, ...lists, ...maps]);

/** The direct subschemas of a schema. */
export function childrenOf(schema: Schema, at: string): Child[] {
  if (typeof schema === 'boolean') return [];
  const found: Child[] = [];
  const add = (keyword: string, value: unknown, place: string) => {
    if (typeof value !== 'boolean' && !isPart(value)) return;
    const where = { each: ofEach.has(keyword), apart: ofPlace.has(keyword), shelved: shelves.has(keyword) };
    found.push({ schema: value, at: place, ...where });
  };
  for (const [keyword, value] of Object.entries(schema)) {
    const place = `${at}/${escaped(keyword)}`;
    if (single.includes(keyword) || singleElse.includes(keyword)) add(keyword, value, place);
    else if (lists.includes(keyword) && Array.isArray(value))
      for (const [i, one] of value.entries()) add(keyword, one, `${place}/${i}`);
    else if (maps.includes(keyword) && isPart(value))
      for (const [name, one] of Object.entries(value)) add(keyword, one, `${place}/${escaped(name)}`);
  }
  return found;
}

/** The number of values in keywords without subschemas, such as `enum`, `const` and `required`. */
export function dataIn(schema: Schema): number {
  if (typeof schema === 'boolean') return 0;
  return Object.entries(schema)
    .filter(([keyword]) => !schemaKeywords.has(keyword))
    .reduce((sum, [, value]) => sum + countValues(value), 0);
}

/** Keywords that inspect the whole value themselves, with their measured cost per part. */
const thorough: Record<string, number> = {
  uniqueItems: 25,
  multipleOf: 5,
  minProperties: 10,
  maxProperties: 10,
  propertyNames: 5,
  patternProperties: 5,
  additionalProperties: 5,
  unevaluatedProperties: 5,
  minLength: 3,
  maxLength: 3,
};

/** The cost of a schema's own keywords for each value. */
export function thoroughIn(schema: Schema): number {
  if (typeof schema === 'boolean') return 0;
  return Object.keys(schema).reduce((sum, keyword) => sum + (thorough[keyword] ?? 0), 0);
}

/** The value and everything nested in it. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 1);
}

/** The size of a value for cost estimates: a hundred characters count as one value. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 100;
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 1;
  for (const [name, inner] of Object.entries(value)) sum += name.length / 100 + sizeOf(inner);
  return sum;
}

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Escapes a name for a JSON pointer (RFC 6901). */
export const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
