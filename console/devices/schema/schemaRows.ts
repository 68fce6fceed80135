import { jsonPlace } from '#console/ui/code/jsonPlace.ts';
import { isSchemaPart, propertiesOf, type SchemaProperty } from './schemaProperties.ts';

/** A row of a table of schemas: a property, or the name of the message whose properties follow. */
export interface SchemaRow {
  /** JSON pointer into the whole schema. */
  id: string;
  /** Set for events and commands, in the row that names the message. */
  message?: { name: string; title: string | undefined; isBare: boolean };
  property?: SchemaProperty;
  /** The lines of the text that are about it, inclusive, starting at 1. */
  lines: readonly [from: number, to: number];
}

/** The rows of a state's schema. `text` is the schema as it is shown beside them. */
export function propertyRows(schema: unknown, text: string): SchemaRow[] {
  return propertiesOf(schema).map(property => ({
    id: property.pointer,
    property,
    lines: linesOf(text, property.pointer),
  }));
}

/** The rows of event or command schemas, by name. */
export function messageRows(schemas: unknown, text: string): SchemaRow[] {
  if (!isSchemaPart(schemas)) return [];
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const id = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const properties = propertiesOf(schema);
    const title = isSchemaPart(schema) ? (schema.title ?? schema.description) : undefined;
    const message = {
      name,
      title: typeof title === 'string' ? title : undefined,
      isBare: properties.length === 0,
    };
    return [
      { id, message, lines: linesOf(text, id) },
      ...properties.map(property => {
        const pointer = `${id}${property.pointer}`;
        return { id: pointer, property, lines: linesOf(text, pointer) };
      }),
    ];
  });
}

/** The innermost row that a line belongs to. */
export function rowAtLine(rows: readonly SchemaRow[], line: number): SchemaRow | undefined {
  return rows.findLast(({ lines: [from, to] }) => line >= from && line <= to);
}

/** From the line with the name to the one that ends the value. */
function linesOf(text: string, pointer: string): [number, number] {
  const { from, to } = jsonPlace(text, pointer);
  return [lineAt(text, from), lineAt(text, to - 1)];
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
