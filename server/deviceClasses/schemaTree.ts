/** What is wrong with a schema, and where in it. */
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
  /** True: it is asked of every item or member there is, not of one place. */
  each: boolean;
  /** True: no other of its keyword is asked of the same place. */
  apart: boolean;
  /** True: it is only kept there, to be referred to. */
  shelved: boolean;
}

/** Keywords that hold one schema, a list of them, or some by name. */
const single = ['items', 'contains', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'];
const singleElse = ['propertyNames', 'not', 'if', 'then', 'else'];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const maps = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'];
const ofPlace = new Set(['properties', 'prefixItems']);
const ofEach = new Set([...single, 'propertyNames', 'patternProperties']);
const shelves = new Set(['$defs', 'definitions']);
const schemaKeywords = new Set([...single, ...singleElse, ...lists, ...maps]);

/** The schemas right inside a schema. */
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

/** How many values stand in the keywords of a schema that hold none themselves: `enum`, `const`, `required` and so on. */
export function dataIn(schema: Schema): number {
  if (typeof schema === 'boolean') return 0;
  return Object.entries(schema)
    .filter(([keyword]) => !schemaKeywords.has(keyword))
    .reduce((sum, [, value]) => sum + countValues(value), 0);
}

/** Keywords that look at all of a value by themselves, and what that costs for each part of it, as measured. */
const thorough: Record<string, number> = {
  uniqueItems: 25,
  minProperties: 10,
  maxProperties: 10,
  propertyNames: 5,
  patternProperties: 5,
  additionalProperties: 5,
  unevaluatedProperties: 5,
  minLength: 3,
  maxLength: 3,
};

/** What the keywords of a schema itself cost for each value. */
export function thoroughIn(schema: Schema): number {
  if (typeof schema === 'boolean') return 0;
  return Object.keys(schema).reduce((sum, keyword) => sum + (thorough[keyword] ?? 0), 0);
}

/** The value and all within it. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 1);
}

/** How much there is to look at in a value: a hundred characters are as much as a value. */
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

/** A name as a JSON pointer has it (RFC 6901). */
export const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
