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

/** spec §5 of the platform: what devices of the class may say, and be told. */
export const schemaKinds: readonly SchemaKind[] = [
  {
    field: 'stateSchema',
    title: 'State schema',
    says: 'Without a schema devices report whatever they like. With one, a report that breaks it is kept in quarantine and not acted on, and the console knows what to expect.',
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
    says: 'What an event carries, by its name. Names without a schema may carry anything.',
    hint: 'An object of names, each with a JSON Schema.',
    example: {
      door: { type: 'object', required: ['open'], properties: { open: { type: 'boolean' } } },
    },
  },
  {
    field: 'commandSchemas',
    title: 'Command schemas',
    says: 'What the arguments of a command look like, by its name. The names are offered where a command is sent.',
    hint: 'An object of names, each with a JSON Schema.',
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
