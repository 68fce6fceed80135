import type { DeviceClass } from '#contract/deviceClass.ts';
import type { ClassField } from '#contract/deviceClassRevision.ts';
import { raw, type Sql } from '#server/infra/db/sql.ts';

type SchemaField = 'stateSchema' | 'eventSchemas' | 'commandSchemas';
type Definition = Pick<DeviceClass, ClassField>;

/** The editable fields of a class, as stored in a row of the class or of one of its revisions. */
export type DefinitionRow = Omit<Definition, SchemaField> & {
  [Name in SchemaField]: Definition[Name] | null;
};

/** The column of each field, in the table of classes and in that of their revisions. */
export const columnOf = {
  description: 'description',
  stateSchema: 'state_schema',
  eventSchemas: 'event_schemas',
  commandSchemas: 'command_schemas',
  offerMinutes: 'offer_minutes',
  downloadMinutes: 'download_minutes',
  installMinutes: 'install_minutes',
  rebootMinutes: 'reboot_minutes',
  sendsDeltas: 'sends_deltas',
} as const satisfies Record<ClassField, string>;

/** Applies `of` to each field and its column, in the order of the list. */
export function eachColumn(of: (column: string, field: string) => string, separator = ', '): Sql {
  return raw(
    Object.entries(columnOf)
      .map(([field, column]) => of(column, field))
      .join(separator),
  );
}

export const definitionColumns = (alias: string): Sql =>
  eachColumn((column, field) => `${alias}.${column} as "${field}"`);

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
