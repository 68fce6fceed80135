import type { DeviceClass } from '#contract/deviceClass.ts';

export type SchemaField = 'stateSchema' | 'eventSchemas' | 'commandSchemas';

export interface SchemaKind {
  field: SchemaField;
  title: string;
  /** What it does, in a sentence. */
  says: string;
  hint: string;
  example: unknown;
}

const number = { type: 'number' };

/** The schemas of a class: state, events and commands. */
export const schemaKinds: readonly SchemaKind[] = [
  {
    field: 'stateSchema',
    title: 'State schema',
    says: 'Without a schema, devices can report anything. With one, a report that violates it is quarantined instead of applied, and the console knows which properties to expect.',
    hint: 'A JSON Schema (2020-12) of the whole reported state.',
    example: {
      type: 'object',
      properties: {
        temperature: { ...number, minimum: -40, maximum: 125 },
        target: number,
        mode: { enum: ['off', 'heat', 'cool'] },
      },
    },
  },
  {
    field: 'eventSchemas',
    title: 'Event schemas',
    says: 'The payload of each event, by name. Events without a schema can carry anything.',
    hint: 'An object that maps names to JSON Schemas.',
    example: {
      door: { type: 'object', required: ['open'], properties: { open: { type: 'boolean' } } },
    },
  },
  {
    field: 'commandSchemas',
    title: 'Command schemas',
    says: 'The arguments of each command, by name. The names are suggested when you send a command.',
    hint: 'An object that maps names to JSON Schemas.',
    example: {
      blink: {
        type: 'object',
        properties: { seconds: { type: 'integer', minimum: 1, maximum: 60 } },
      },
    },
  },
];

export function schemaOf(deviceClass: DeviceClass, field: SchemaField): unknown {
  return deviceClass[field];
}

/** "3 events": how much there is, beside the title. */
export function schemaNote(field: SchemaField, schema: unknown): string {
  if (schema === undefined) return 'none';
  if (field === 'stateSchema') return 'set';
  const count = Object.keys(schema as object).length;
  const noun = field === 'eventSchemas' ? 'event' : 'command';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
