/** An object within a JSON Schema. */
export type SchemaPart = Readonly<Record<string, unknown>>;

/** One property that a schema describes, as a row of a table. */
export interface SchemaProperty {
  /** The names on its path. */
  keys: readonly string[];
  /** The same, joined by dots. */
  path: string;
  /** The JSON pointer to its schema, within the whole schema. */
  pointer: string;
  /** `true` and `false` count as empty schemas. */
  schema: SchemaPart;
  title: string | undefined;
  isRequired: boolean;
}

const depthMax = 6;
const propertiesMax = 500;

export function isSchemaPart(value: unknown): value is SchemaPart {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The properties that a schema names, in order; an object is followed by its own properties. */
export function propertiesOf(schema: unknown): SchemaProperty[] {
  const found: SchemaProperty[] = [];
  walk(schema, [], '', found);
  return found;
}

function walk(schema: unknown, keys: readonly string[], pointer: string, found: SchemaProperty[]): void {
  if (!isSchemaPart(schema) || keys.length >= depthMax || !isSchemaPart(schema.properties)) return;
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, inner] of Object.entries(schema.properties)) {
    if (found.length >= propertiesMax) return;
    const own = isSchemaPart(inner) ? inner : {};
    const here = [...keys, name];
    const at = `${pointer}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    found.push({
      keys: here,
      path: here.join('.'),
      pointer: at,
      schema: own,
      title: textOf(own.title) ?? textOf(own.description),
      isRequired: required.includes(name),
    });
    walk(own, here, at, found);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() ? value.trim() : undefined;
}
