import type { ObjectSchema } from '@marcbachmann/cel-js';
import { pluralOf } from '#rules/text/nounText.ts';
import { reportedPropertiesOf } from '#server/devices/state/reportedProperties.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Names } from './checkExpression.ts';

type Schema = Record<string, unknown>;

export interface NamedClass {
  id: string;
  deviceCount: number;
  stateSchema: unknown;
  eventSchemas: Record<string, unknown> | null;
  commandSchemas: Record<string, unknown> | null;
}

/** The most classes that are read if a module listens to all. */
const classesMax = 50;
const depthMax = 6;

/** The given classes, or all. */
export function classesOf(db: Db, projectId: string, ids: readonly string[]): Promise<NamedClass[]> {
  return db.many<NamedClass>(sql`
    select c.id, c.state_schema as "stateSchema", c.event_schemas as "eventSchemas",
      c.command_schemas as "commandSchemas",
      (select count(*)::int from (select from devices d
        where d.project_id = c.project_id and d.device_class = c.id limit 1001) d) as "deviceCount"
    from device_classes c
    where c.project_id = ${projectId} and (cardinality(${ids}::text[]) = 0 or c.id = any(${ids}::text[]))
    order by c.id limit ${classesMax}`);
}

/**
 * The names that expressions about these classes can use. A class without a schema can report anything. With a schema,
 * a name outside of it is a mistake, unless devices of the class report it anyway.
 */
export async function namesFor(
  db: Db,
  projectId: string,
  given: { deviceClasses: readonly string[]; subscribedEvents: readonly string[]; labels: readonly string[] },
): Promise<Names> {
  const classes = await classesOf(db, projectId, given.deviceClasses);
  const states = classes.map(({ stateSchema }) => fieldsOf(stateSchema));
  const reported: string[] = [];
  // Sequential, because a transaction has only one connection.
  for (const one of classes) {
    const { properties } = await reportedPropertiesOf(db, { projectId, ...one });
    reported.push(...properties.map(({ name }) => name));
  }
  const state = classes.length === 0 ? 'map' : merged(states);
  return {
    state: state === 'map' ? 'map' : withFields(state, reported),
    payload: payloadOf(classes, given.subscribedEvents),
    data: given.labels,
    ...reportersOf(given.deviceClasses),
  };
}

/** The devices of a class in the plural, if its id is a word. */
function reportersOf(deviceClasses: readonly string[]): Pick<Names, 'reporters'> {
  const [only = ''] = deviceClasses.length === 1 ? deviceClasses : [];
  return /[A-Za-z]$/.test(only) ? { reporters: pluralOf(only) } : {};
}

/** Typed only if every event the module receives has a schema. */
function payloadOf(classes: readonly NamedClass[], events: readonly string[]): ObjectSchema | 'map' {
  if (events.length === 0 || events.some(name => name === '*' || name.startsWith('_'))) return 'map';
  const wanted = events.map(name => name.toLowerCase());
  const found = classes.flatMap(({ eventSchemas }) => {
    const schemas = Object.entries(eventSchemas ?? {});
    return wanted.map(name => schemas.find(([one]) => one.toLowerCase() === name)?.[1]);
  });
  return found.length === 0 ? 'map' : merged(found.map(fieldsOf));
}

/** Fields that differ between classes can be anything. */
function merged(schemas: readonly (ObjectSchema | 'map')[]): ObjectSchema | 'map' {
  if (schemas.length === 0 || schemas.includes('map')) return 'map';
  const fields = new Map<string, ObjectSchema[string]>();
  for (const schema of schemas as ObjectSchema[])
    for (const [name, type] of Object.entries(schema)) {
      const other = fields.get(name);
      fields.set(name, other === undefined || same(other, type) ? type : 'dyn');
    }
  return Object.fromEntries(fields);
}

const same = (a: ObjectSchema[string], b: ObjectSchema[string]) => JSON.stringify(a) === JSON.stringify(b);

function withFields(schema: ObjectSchema, names: readonly string[]): ObjectSchema {
  const more = names.filter(name => !Object.hasOwn(schema, name)).map(name => [name, 'dyn']);
  return { ...schema, ...Object.fromEntries(more) };
}

/** The fields of a JSON Schema with their types; `map` if the schema does not define them. */
function fieldsOf(schema: unknown, depth = 0): ObjectSchema | 'map' {
  if (typeof schema !== 'object' || schema === null) return 'map';
  const { properties, $ref, allOf, anyOf, oneOf, patternProperties } = schema as Schema;
  if (typeof properties !== 'object' || properties === null) return 'map';
  if ([$ref, allOf, anyOf, oneOf, patternProperties].some(part => part !== undefined)) return 'map';
  const entries = Object.entries(properties).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(entries.map(([name, property]) => [name, typeOfProperty(property, depth)]));
}

function typeOfProperty(schema: unknown, depth: number): ObjectSchema | string {
  if (typeof schema !== 'object' || schema === null) return 'dyn';
  const { type, items, $ref, anyOf, oneOf, allOf } = schema as Schema;
  if ([$ref, anyOf, oneOf, allOf].some(part => part !== undefined)) return 'dyn';
  switch (type) {
    case 'number':
    case 'integer':
      return 'double';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'array': {
      const item = typeOfProperty(items, depth + 1);
      return typeof item === 'string' ? `list<${item}>` : 'list';
    }
    case 'object': {
      const fields = depth < depthMax ? fieldsOf(schema, depth + 1) : 'map';
      return fields === 'map' || Object.keys(fields).length === 0 ? 'map' : fields;
    }
    default:
      return 'dyn';
  }
}
