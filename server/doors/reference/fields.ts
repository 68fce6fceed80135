import { type Html, html } from '#server/api/pages/html.ts';
import { exampleOf } from './example.ts';
import { type JsonSchema, nameOf } from './openApi/jsonSchema.ts';

/** The fields of an object in a table; fields of nested objects are listed with a dot. */
export function fieldTable(schema: JsonSchema, { marksRequired }: { marksRequired: boolean }): Html {
  const rows = fieldsOf(schema);
  if (rows.length === 0) return html`<p>${typeText(schema)}</p>`;
  return html`<table class="fields"><thead class="quiet"><tr><th scope="col">Field</th><th scope="col">Value</th></tr></thead><tbody>
${rows.map(
  ({ name, field, required }) =>
    html`<tr><th scope="row"><code>${name}</code>${marksRequired ? required && requiredMark : !required && optionalMark}</th><td>${field.properties ? 'object' : typeText(field)}${formText(field, name)}${field.description && html`<br><span class="muted">${field.description}</span>`}</td></tr>
`,
)}</tbody></table>`;
}

/** A text with a special format is best explained by an example. */
function formText(field: JsonSchema, name: string): Html | false {
  const hasForm = field.pattern !== undefined && field.maxLength === undefined;
  const [example] = field.examples ?? [exampleOf(field, {}, name)];
  return hasForm && html`, such as <code>${String(example)}</code>`;
}

const requiredMark = html` <span class="needed">required</span>`;
const optionalMark = html` <span class="optional">optional</span>`;

interface Row {
  name: string;
  field: JsonSchema;
  required: boolean;
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): Row[] {
  return (Object.entries(properties) as [string, JsonSchema][]).flatMap(([name, field]) => {
    const row = { name: prefix + name, field, required: required.includes(name) };
    return field.properties ? [row, ...fieldsOf(field, `${prefix}${name}.`)] : [row];
  });
}

/** The type of a value in words: `text, 1 to 100 characters`. */
export function typeText(schema: JsonSchema): Html {
  const name = nameOf(schema);
  if (name) return html`<a href="#shape-${name}">${name}</a>`;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return listed(options.map(typeText), ' or ');
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return listed(
      schema.enum.map(value => html`<code>${String(value)}</code>`),
      ', ',
    );
  if (schema.type === 'array') return arrayText(schema);
  if (schema.type === 'object') return objectText(schema);
  return html`${simpleText(schema)}`;
}

function listed(parts: Html[], between: string): Html {
  return html`${parts.map((part, i) => (i === 0 ? part : html`${between}${part}`))}`;
}

function arrayText({ items, maxItems }: JsonSchema): Html {
  const item = typeof items === 'object' && !Array.isArray(items) ? typeText(items) : html`anything`;
  return html`list of ${item}${maxItems !== undefined && `, at most ${maxItems}`}`;
}

function objectText({ properties, propertyNames, additionalProperties }: JsonSchema): Html {
  if (properties)
    return html`object with ${listed(
      Object.keys(properties).map(name => html`<code>${name}</code>`),
      ', ',
    )}`;
  const key = typeof propertyNames === 'object' ? typeText(propertyNames) : html`any name`;
  const value = typeof additionalProperties === 'object' ? typeText(additionalProperties) : html`anything`;
  return html`${value} for each of ${key}`;
}

function simpleText(schema: JsonSchema): string {
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'integer') return `whole number${range(schema.minimum, schema.maximum, '')}`;
  if (schema.type === 'number') return `number${range(schema.minimum, schema.maximum, '')}`;
  if (schema.type === 'string') return `text${range(schema.minLength, schema.maxLength, ' characters')}`;
  return 'anything';
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && max !== undefined) return `, ${min} to ${max}${unit}`;
  if (max !== undefined) return `, up to ${max}${unit}`;
  return min === undefined ? '' : `, at least ${min}${unit}`;
}
