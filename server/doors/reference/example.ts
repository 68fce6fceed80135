import { exampleId } from './exampleIds.ts';
import { exampleJson, exampleNumbers, exampleTexts, exampleTrue, usualForms } from './exampleValues.ts';
import { type JsonSchema, nameOf, resolve } from './openApi/jsonSchema.ts';

type Named = Record<string, JsonSchema>;

/** A realistic value for the schema, based on the names of its fields. */
export function exampleOf(schema: JsonSchema, named: Named, name = ''): unknown {
  const noun = nameOf(schema);
  const shape = resolve(schema, named);
  if (shape.examples?.[0] !== undefined) return shape.examples[0];
  const isAny = shape.type === undefined || (shape.type === 'object' && !shape.properties);
  if (isAny && name in exampleJson) return exampleJson[name];
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum.find(value => value === exampleTexts[name]) ?? shape.enum[0];
  const [first] = shape.anyOf ?? shape.oneOf ?? [];
  if (first) return exampleOf(first, named, name);
  if (shape.type === 'object') return exampleObject(shape, named, noun ?? name);
  if (shape.type === 'array') return [exampleOf(itemOf(shape), named, singular(name))];
  if (shape.type === 'boolean') return exampleTrue.has(name);
  if (shape.type === 'integer' || shape.type === 'number') return exampleNumbers[name] ?? shape.minimum ?? 1;
  return exampleText(shape, name);
}

function exampleObject(shape: JsonSchema, named: Named, noun: string): unknown {
  const fields = Object.entries(shape.properties ?? {}) as [string, JsonSchema][];
  if (fields.length === 0) return exampleRecord(shape, named);
  const required = shape.required ?? [];
  // An example of the second sign-in step needs its code.
  const isShown = ([name]: [string, JsonSchema]) => required.includes(name) || name === 'code';
  // If all fields are optional, as in an edit, the first field serves as the example.
  const shown = required.length > 0 ? fields.filter(isShown) : fields.slice(0, 1);
  return Object.fromEntries(
    shown.map(([name, field]) => [name, exampleOf(field, named, fieldOf(lower(noun), name))]),
  );
}

/** A name such as `id` or `text` is clear only together with its noun. */
function fieldOf(noun: string, name: string): string {
  const full = noun + name.charAt(0).toUpperCase() + name.slice(1);
  return name === 'id' || full in exampleTexts ? full : name;
}

function exampleRecord({ propertyNames, additionalProperties, required }: JsonSchema, named: Named): unknown {
  const keys =
    required ?? (typeof propertyNames === 'object' ? propertyNames.enum?.slice(0, 1) : undefined) ?? [];
  if (typeof additionalProperties !== 'object') return {};
  return Object.fromEntries(keys.map(key => [key, exampleOf(additionalProperties, named, String(key))]));
}

const itemOf = ({ items }: JsonSchema): JsonSchema =>
  typeof items === 'object' && !Array.isArray(items) ? items : {};
export const singular = (name: string) => name.replace(/s$/, '');
const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

function exampleText({ format, pattern }: JsonSchema, name: string): string {
  if (format === 'date') return '2026-11-20';
  const text = exampleTexts[name] ?? (name.endsWith('Id') ? exampleId(name) : name);
  if (format === 'date-time') return /^\d{4}-.*Z$/.test(text) ? text : '2026-11-20T09:46:00.000Z';
  if (pattern === undefined) return text;
  // A field may have the value for its name, or one of the usual forms.
  return [text, ...usualForms].find(form => new RegExp(pattern, 'u').test(form)) ?? text;
}
