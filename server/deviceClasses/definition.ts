import type { DeviceClass } from '#contract/deviceClass.ts';
import type { ClassField } from '#contract/deviceClassRevision.ts';
import { raw, type Sql, sql } from '#server/db/sql.ts';

type SchemaField = 'stateSchema' | 'eventSchemas' | 'commandSchemas';
type Definition = Pick<DeviceClass, ClassField>;

/** What can be edited of a class, as a row of the class or of one of its revisions has it. */
export type DefinitionRow = Omit<Definition, SchemaField> & {
  [Name in SchemaField]: Definition[Name] | null;
};

export function definitionColumns(alias: string): Sql {
  const of = raw(alias);
  return sql`
    ${of}.description, ${of}.state_schema as "stateSchema", ${of}.event_schemas as "eventSchemas",
    ${of}.command_schemas as "commandSchemas", ${of}.offer_minutes as "offerMinutes",
    ${of}.download_minutes as "downloadMinutes", ${of}.install_minutes as "installMinutes",
    ${of}.reboot_minutes as "rebootMinutes", ${of}.sends_deltas as "sendsDeltas"`;
}

/** Leaves out the schemas that are not set. */
export function withoutUnset<Row extends Pick<DefinitionRow, SchemaField>>({
  stateSchema,
  eventSchemas,
  commandSchemas,
  ...row
}: Row) {
  return {
    ...row,
    ...(stateSchema !== null && { stateSchema }),
    ...(eventSchemas !== null && { eventSchemas }),
    ...(commandSchemas !== null && { commandSchemas }),
  };
}
